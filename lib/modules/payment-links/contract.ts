import { z } from 'zod'
import { locales } from '../../kernel/locale.ts'
import { ruleIssue } from '../../kernel/rule-problem.ts'
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
  quantity: Quantity.optional().describe(
    'The number of units. With a quantity range, the number that the form shows at first.',
  ),
  minQuantity: Quantity.nullish().describe('The minimum quantity that the buyer can choose.'),
  maxQuantity: Quantity.nullish().describe('The maximum quantity that the buyer can choose.'),
}).superRefine((item, context) => {
  const found = rangeProblem(item)
  if (found) context.addIssue(ruleIssue(found.problem, [found.field]))
})

export const PaymentLinkShape = z
  .object({
    id: z.string().describe('The id of this payment link.'),
    resource: z.literal('payment_link').describe('The type of the resource.'),
    testmode: z.boolean().describe('Whether the payment link belongs to test mode.'),
    name: z.string().describe('The name that the merchant sees. Buyers do not see it.'),
    url: z.string().describe('The permanent address of the page on which buyers buy.'),
    active: z.boolean().describe('Whether buyers can buy. If false, the page says that the offer has ended.'),
    items: z
      .array(
        z.object({
          id: z.string().describe('The id of the product or plan.'),
          quantity: z
            .int()
            .describe('The number of units. With a quantity range, the number that the form shows at first.'),
          minQuantity: z
            .int()
            .nullable()
            .describe('The minimum quantity that the buyer can choose. Null if the quantity is fixed.'),
          maxQuantity: z
            .int()
            .nullable()
            .describe('The maximum quantity that the buyer can choose. Null if the quantity is fixed.'),
          price: MoneyShape.nullable().describe(
            'The price, instead of the price of the product. Null if the price of the product applies.',
          ),
          trialDays: z
            .int()
            .nullable()
            .describe('The length of the trial in days, from the payment. Null without a trial.'),
          metadata: MetadataShape,
        }),
      )
      .describe('The products and plans that are sold.'),
    redirectUrlSuccess: z
      .string()
      .nullable()
      .describe('The page that the buyer sees after the payment. Null if the buyer stays on the checkout page.'),
    locale: z.enum(locales).nullable().describe("The language of the page; null if the buyer's browser chooses it."),
    metadata: MetadataShape,
    createdAt: WireMoment.describe('When the payment link was created.'),
    links: z.object({ self: SelfLink }).describe('Links to related resources.'),
  })
  .meta({ id: 'PaymentLink' })

const Name = text({ min: 1, max: 255 })
const successText =
  'The page that the buyer sees after the payment. An absolute http or https URL. `{CHECKOUT_ID}` is ' +
  'replaced by the id of the checkout. If null, the buyer stays on the checkout page.'

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
    active: queryBoolean
      .optional()
      .describe('Only active payment links (`true`), or only inactive payment links (`false`).'),
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
    'Creates a page with a permanent address, on which anybody can buy these products. A visit of the ' +
    'page creates nothing. The checkout is created when a buyer submits the form. Refuses products ' +
    'that are archived or rejected, and products with different `taxBehavior`. Sends no event.',
  body: z.object({
    name: Name.describe('The name that the merchant sees. Buyers do not see it.'),
    items: z
      .array(PaymentLinkItemBody)
      .min(1)
      .max(50)
      .describe('The products and plans to sell. All must have the same `taxBehavior`.'),
    redirectUrlSuccess: RedirectUrl.nullish().describe(successText),
    locale: Locale.nullish().describe(
      `A language, BCP 47 tag or POSIX locale that maps to one of ${locales.join(', ')}. If null, the buyer's browser decides.`,
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
    'Ends a payment link with `active: false`, or changes its name, URL, or metadata. Omitted fields ' +
    'keep their values. Existing checkouts do not change and can still be paid. Sends no event.',
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
