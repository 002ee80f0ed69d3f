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
      name: { value: 'NAME', help: 'for the merchant; buyers do not see it', required: true },
      product: { value: 'ID', help: "the plan's or product's id", required: true },
      quantity: { value: 'N', help: 'how many units (1, or the least quantity)' },
      'min-quantity': { value: 'N', help: 'the least that the buyer can choose; with --max-quantity' },
      'max-quantity': { value: 'N', help: 'the most that the buyer can choose; with --min-quantity' },
      price: { value: '9.00', help: 'in EUR, in place of the price of the product' },
      'trial-days': { value: 'N', help: 'days without charge, for a plan' },
      'redirect-url-success': { value: 'URL', help: 'where the buyer goes after the payment (the receipt)' },
      locale: { value: 'de', help: "the language of the page (that of the buyer's browser)" },
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
    summary: 'End a payment link: its page says that the offer has ended',
    flags: { 'payment-link': paymentLink },
    run: async (flags) => (await paymentLinks()).setActiveTyped(flags['payment-link'], false),
  }),
  command({
    noun: 'payment-link',
    verb: 'reopen',
    summary: 'Let buyers buy at the address of a payment link again',
    flags: { 'payment-link': paymentLink },
    run: async (flags) => (await paymentLinks()).setActiveTyped(flags['payment-link'], true),
  }),
]
