import { type Command, command } from '../command.ts'
import { filterOf, limit, mode, scopeOf, storefront } from '../flags.ts'

const paymentLink = { value: 'ID', help: "the payment link's id", required: true } as const
const paymentLinks = () => import('../../modules/payment-links/operations.ts')

export const paymentLinksCommands: readonly Command[] = [
  command({
    noun: 'payment-link',
    verb: 'create',
    summary: 'Create a payment link for one product or plan, and print its address',
    flags: {
      storefront,
      mode,
      name: { value: 'NAME', help: 'the name that the merchant sees; buyers do not see the name', required: true },
      product: { value: 'ID', help: "the plan's or product's id", required: true },
      quantity: { value: 'N', help: 'the number of units (default: 1, or the minimum quantity)' },
      'min-quantity': { value: 'N', help: 'the minimum quantity for buyers; needs --max-quantity' },
      'max-quantity': { value: 'N', help: 'the maximum quantity for buyers; needs --min-quantity' },
      price: { value: '9.00', help: 'the price in EUR, instead of the price of the product' },
      'trial-days': { value: 'N', help: 'the number of days without a charge, for a plan' },
      'redirect-url-success': {
        value: 'URL',
        help: 'the page that buyers see after the payment (default: the receipt)',
      },
      locale: { value: 'de', help: "the language of the page (default: the language of the buyer's browser)" },
    },
    run: async ({ storefront, mode, name, product, quantity, price, locale, ...flags }) =>
      (await paymentLinks()).createTyped(scopeOf(storefront, mode), {
        name,
        product,
        quantity,
        price,
        locale,
        minQuantity: flags['min-quantity'],
        maxQuantity: flags['max-quantity'],
        trialDays: flags['trial-days'],
        redirectUrlSuccess: flags['redirect-url-success'],
      }),
  }),
  command({
    noun: 'payment-link',
    verb: 'list',
    summary: 'List the payment links of a storefront',
    flags: { storefront, mode, limit },
    run: async ({ storefront, mode, limit }) =>
      (await paymentLinks()).listTyped(scopeOf(storefront, mode), filterOf({ mode, limit }).limit),
  }),
  command({
    noun: 'payment-link',
    verb: 'end',
    summary: 'End a payment link; its page then says that the offer has ended',
    flags: { 'payment-link': paymentLink },
    run: async (flags) => (await paymentLinks()).setActiveTyped(flags['payment-link'], false),
  }),
  command({
    noun: 'payment-link',
    verb: 'reopen',
    summary: 'Reopen a payment link that was ended, at the same address',
    flags: { 'payment-link': paymentLink },
    run: async (flags) => (await paymentLinks()).setActiveTyped(flags['payment-link'], true),
  }),
]
