import { z } from 'zod'
import { intervals } from '../../kernel/calendar.ts'
import { isCountry } from '../../kernel/countries.ts'
import { currencies } from '../../kernel/currencies.ts'
import { foldLocale, locales } from '../../kernel/locale.ts'
import { ruleIssue, ruleOf } from '../../kernel/rule-problem.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import {
  BillingAddress,
  EuroPrice,
  id,
  LinkShape,
  MetadataShape,
  OptionalMetadata,
  SelfLink,
  WireMoment,
} from '../../platform/http/shapes.ts'
import { QuoteFields } from '../orders/contract.ts'
import { redirectUrlProblem } from './rules/redirect-url.ts'

/** Returns the schema for a URL of the shop. If `hasCheckout` is true, the URL may contain the placeholder `{CHECKOUT_ID}`. */
export const redirectUrl = ({ hasCheckout }: { hasCheckout: boolean }) =>
  z
    .string()
    .superRefine((url, context) => {
      const problem = redirectUrlProblem(url, { hasCheckout })
      if (problem) context.addIssue(ruleIssue(problem))
    })
    .meta({ maxLength: 2048 })

export const RedirectUrl = redirectUrl({ hasCheckout: true })
const placeholder = 'An absolute http or https URL. `{CHECKOUT_ID}` is replaced by the id of the checkout.'

export const Locale = z
  .string()
  .refine(
    (value) => value.length <= 100 && foldLocale(value) !== null,
    ruleOf(
      'listed',
      { values: locales.join(', ') },
      'Must be a language, BCP 47 tag or POSIX locale that maps to one of {values}.',
    ),
  )
  .transform((value) => foldLocale(value))

export const CheckoutItem = z.object({
  id: id('one_off_product_', 'subscription_plan_').describe('A product or plan that is active and not archived.'),
  quantity: z.int().min(1).max(999_999).default(1).describe('The number of units.'),
  price: EuroPrice.nullish().describe(
    'The price, instead of the price of the product. For a plan, also the price of every renewal.',
  ),
  trialDays: z
    .int()
    .min(0)
    .max(730)
    .nullish()
    .describe('The length of the trial in days, from the payment. Only for plans.'),
  metadata: OptionalMetadata,
})

const CheckoutStatus = z.enum(['created', 'paid', 'canceled', 'failed', 'expired'])

export const CheckoutShape = z
  .object({
    id: z.string().describe('The id of this checkout.'),
    resource: z.literal('checkout').describe('The type of the resource.'),
    testmode: z.boolean().describe('Whether the checkout belongs to test mode.'),
    orderId: z.string().nullable().describe('The id of the order; null until the checkout is paid.'),
    customerId: z.string().nullable().describe('The id of the customer. Null before the customer is created.'),
    redirectUrlSuccess: z.string().describe('The page that the buyer sees after the payment.'),
    redirectUrlCanceled: z.string().describe('The page that the buyer sees after a cancellation.'),
    metadata: MetadataShape,
    locale: z.enum(locales).nullable().describe("The language of the page; null if the buyer's browser chooses it."),
    paymentLinkId: z
      .string()
      .nullable()
      .describe('The id of the payment link that created the checkout. Null for other checkouts.'),
    status: CheckoutStatus.describe(
      '`created`: nobody has paid. `failed`: a payment was declined, and the buyer can try again. `paid`, `canceled`, and `expired` are final.',
    ),
    expiresAt: WireMoment.nullable().describe('The time until which the buyer can pay.'),
    createdAt: WireMoment.describe('When the checkout was created.'),
    links: z
      .object({
        checkoutUrl: LinkShape.describe('The hosted page on which the buyer pays.'),
        self: SelfLink,
        order: LinkShape.nullable().describe('The order; null until the checkout is paid.'),
      })
      .describe('Links to related resources and pages.'),
  })
  .meta({ id: 'Checkout' })

const tag = 'Checkouts'

export const listCheckouts = endpoint({
  id: 'listCheckouts',
  method: 'GET',
  path: '/v1/checkouts',
  scope: 'read_only',
  tag,
  summary: 'List checkouts.',
  description: 'Returns the checkouts of the storefront and mode, newest first.',
  query: listQuery({
    customerId: id('customer_').optional().describe('Only the checkouts of this customer.'),
    status: CheckoutStatus.optional().describe('Only the checkouts with this status.'),
  }),
  responses: { 200: listShape(CheckoutShape) },
  refuses: [],
})

export const createCheckout = endpoint({
  id: 'createCheckout',
  method: 'POST',
  path: '/v1/checkouts',
  scope: 'no_refunds',
  tag,
  summary: 'Create a checkout.',
  description:
    'Creates a checkout with a snapshot of its products. The buyer pays at `links.checkoutUrl`. A ' +
    'payment sends `checkout.paid`, `subscription.started` for each plan, and `order.paid`, in this ' +
    'order. A declined payment sends `checkout.failed`; a checkout that ends without a payment sends ' +
    '`checkout.canceled` or `checkout.expired`. Refuses products that are archived or not active, and ' +
    'products with different `taxBehavior`.',
  body: z.object({
    products: z
      .array(CheckoutItem)
      .min(1)
      .max(50)
      .describe('The products and plans to sell. All must have the same `taxBehavior`.'),
    redirectUrlSuccess: RedirectUrl.describe(`Where the buyer goes after the payment. ${placeholder}`),
    redirectUrlCanceled: RedirectUrl.describe(`Where the buyer goes after a cancellation. ${placeholder}`),
    metadata: OptionalMetadata,
    customerId: id('customer_').nullish().describe('An existing customer, whose email address is prefilled.'),
    billingAddress: BillingAddress.nullish().describe('Billing details that are prefilled. The buyer can edit them.'),
    locale: Locale.nullish().describe(
      `A language, BCP 47 tag or POSIX locale that maps to one of ${locales.join(', ')}. If null, the buyer's browser decides.`,
    ),
  }),
  responses: { 201: CheckoutShape },
  refuses: ['storefront_suspended'],
})

export const CheckoutPreviewShape = z
  .object({
    currency: z.enum(currencies).describe('The currency of all amounts.'),
    ...QuoteFields,
    recurring: z
      .array(
        z.object({
          subscriptionPlanId: z.string().describe('The id of the plan.'),
          quantity: z.int().describe('The number of units.'),
          interval: z.enum(intervals).describe('The unit of the billing interval.'),
          intervalCount: z.int().describe('The number of interval units in a billing cycle.'),
          firstChargeAt: WireMoment.describe(
            'When the first interval is charged: with the checkout, or at the end of the trial.',
          ),
          subtotal: QuoteFields.subtotal,
          taxSummary: QuoteFields.taxSummary,
          total: QuoteFields.total,
        }),
      )
      .describe('The recurring amounts of each plan for a billing interval.'),
  })
  .meta({ id: 'CheckoutPreview' })

export const previewCheckout = endpoint({
  id: 'previewCheckout',
  method: 'POST',
  path: '/v1/checkouts/preview',
  scope: 'read_only',
  tag,
  summary: 'Preview the price of a checkout.',
  description:
    'An addition to the contract. Returns what a buyer would pay, with tax, for a pricing page. ' +
    'Creates nothing. The preview checks only the form of a tax ID and does not ask the registry. It ' +
    'treats the tax ID as valid, unless the registry rejected the tax ID within the last day. Refuses ' +
    'products that a checkout refuses, a tax ID of a different country, and a currency that is not ' +
    'offered in the country. No idempotency key is needed.',
  body: z.object({
    products: z.array(CheckoutItem).min(1).max(50).describe('As in a checkout.'),
    country: z
      .string()
      .refine(isCountry, { error: 'Must be an ISO 3166-1 alpha-2 country code in capital letters, such as "NL".' })
      .meta({ pattern: '^[A-Z]{2}$' })
      .describe("The buyer's country."),
    postalCode: BillingAddress.shape.postalCode.describe("The buyer's postal code, where the tax depends on it."),
    taxId: BillingAddress.shape.taxId.describe("The buyer's tax ID."),
    currency: z.enum(currencies).nullish().describe('The currency that the buyer pays in; `EUR` by default.'),
  }),
  responses: { 200: CheckoutPreviewShape },
  refuses: ['storefront_suspended'],
})

export const getCheckout = endpoint({
  id: 'getCheckout',
  method: 'GET',
  path: '/v1/checkouts/{id}',
  scope: 'read_only',
  tag,
  summary: 'Get a checkout.',
  description: 'Returns a checkout.',
  params: z.object({ id: id('checkout_') }),
  responses: { 200: CheckoutShape },
  refuses: ['not_found'],
})
