import { z } from 'zod'
import { locales } from '../../kernel/locale.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import {
  id,
  MetadataShape,
  MoneyShape,
  OptionalMetadata,
  queryBoolean,
  SelfLink,
  text,
  WireMoment,
} from '../../platform/http/shapes.ts'
import { CheckoutItem, Locale, RedirectUrl } from '../checkouts/contract.ts'
import { rangeProblem } from './rules/range.ts'

const Quantity = CheckoutItem.shape.quantity.unwrap()

export const PaymentLinkItemBody = CheckoutItem.extend({
  id: id('one_off_product_', 'subscription_plan_').describe('A product or plan that is neither archived nor rejected.'),
  quantity: Quantity.optional().describe('How many units are sold. With a range, how many the form has at first.'),
  minQuantity: Quantity.nullish().describe('The least that the buyer can choose.'),
  maxQuantity: Quantity.nullish().describe('The most that the buyer can choose.'),
}).superRefine((item, context) => {
  const problem = rangeProblem(item)
  if (problem) context.addIssue({ code: 'custom', path: [problem.field], message: problem.message })
})

export const PaymentLinkShape = z
  .object({
    id: z.string().describe('The id of this payment link.'),
    resource: z.literal('payment_link').describe('The type of the resource.'),
    testmode: z.boolean().describe('Whether the payment link belongs to test mode.'),
    name: z.string().describe('The name that the merchant sees. Buyers do not see it.'),
    url: z.string().describe('The address of the page on which buyers buy. It never changes.'),
    active: z.boolean().describe('Whether buyers can buy. If not, the page says that the offer has ended.'),
    items: z
      .array(
        z.object({
          id: z.string().describe('The id of the product or plan.'),
          quantity: z.int().describe('How many units are sold. With a range, how many the form has at first.'),
          minQuantity: z.int().nullable().describe('The least that the buyer can choose; null if it is fixed.'),
          maxQuantity: z.int().nullable().describe('The most that the buyer can choose; null if it is fixed.'),
          price: MoneyShape.nullable().describe('Replaces the price of the product; null if it does not.'),
          trialDays: z.int().nullable().describe('Days without charge, from the payment.'),
          metadata: MetadataShape,
        }),
      )
      .describe('What is sold.'),
    redirectUrlSuccess: z
      .string()
      .nullable()
      .describe('Where the buyer goes after the payment; null if the buyer stays on the page of the checkout.'),
    locale: z.enum(locales).nullable().describe("The language of the page; null if the buyer's browser chooses it."),
    metadata: MetadataShape,
    createdAt: WireMoment.describe('When the payment link was created.'),
    links: z.object({ self: SelfLink }).describe('Links to related resources.'),
  })
  .meta({ id: 'PaymentLink' })

const Name = text({ min: 1, max: 255 })
const successText =
  'Where the buyer goes after the payment. An absolute http or https URL, in which `{CHECKOUT_ID}` is replaced. Null: ' +
  'the buyer stays on the page of the checkout.'

const tag = 'Payment links'
const params = z.object({ id: id('payment_link_') })

export const listPaymentLinks = endpoint({
  id: 'listPaymentLinks',
  method: 'GET',
  path: '/v1/payment-links',
  scope: 'read_only',
  tag,
  summary: 'List payment links.',
  description: 'Returns the payment links of the storefront and mode, newest first.',
  query: listQuery({
    active: queryBoolean.optional().describe('Only the payment links that are active, or only those that are not.'),
  }),
  responses: { 200: listShape(PaymentLinkShape) },
  refuses: [],
})

export const createPaymentLink = endpoint({
  id: 'createPaymentLink',
  method: 'POST',
  path: '/v1/payment-links',
  scope: 'no_refunds',
  tag,
  summary: 'Create a payment link.',
  description:
    'Creates a permanent address at which anybody buys these products. A visit creates nothing. A checkout is ' +
    'created when a buyer sends the form. Refuses products that are archived or rejected, and products with ' +
    'different `taxBehavior`. Sends no event.',
  body: z.object({
    name: Name.describe('The name that the merchant sees. Buyers do not see it.'),
    items: z.array(PaymentLinkItemBody).min(1).max(50).describe('What is sold. All have the same `taxBehavior`.'),
    redirectUrlSuccess: RedirectUrl.nullish().describe(successText),
    locale: Locale.nullish().describe(
      `A language, BCP 47 tag or POSIX locale that folds to one of ${locales.join(', ')}; null: the buyer's browser.`,
    ),
    metadata: OptionalMetadata,
  }),
  responses: { 201: PaymentLinkShape },
  refuses: ['storefront_suspended'],
})

export const getPaymentLink = endpoint({
  id: 'getPaymentLink',
  method: 'GET',
  path: '/v1/payment-links/{id}',
  scope: 'read_only',
  tag,
  summary: 'Get a payment link.',
  description: 'Returns a payment link.',
  params,
  responses: { 200: PaymentLinkShape },
  refuses: ['not_found'],
})

export const updatePaymentLink = endpoint({
  id: 'updatePaymentLink',
  method: 'PATCH',
  path: '/v1/payment-links/{id}',
  scope: 'no_refunds',
  tag,
  summary: 'Update a payment link.',
  description:
    'Ends a payment link with `active: false`, or changes its name, URL, or metadata. Fields that are left out stay. ' +
    'Checkouts that exist already do not change and can still be paid. Sends no event.',
  params,
  body: z.object({
    active: z.boolean().optional().describe('Whether buyers can buy.'),
    name: Name.optional().describe('The name that the merchant sees.'),
    redirectUrlSuccess: RedirectUrl.nullish().describe(successText),
    metadata: OptionalMetadata,
  }),
  responses: { 200: PaymentLinkShape },
  refuses: ['not_found'],
})
