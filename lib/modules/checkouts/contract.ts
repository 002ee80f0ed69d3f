import { z } from 'zod'
import { intervals } from '../../kernel/calendar.ts'
import { isCountry } from '../../kernel/countries.ts'
import { currencies } from '../../kernel/currencies.ts'
import { foldLocale, locales } from '../../kernel/locale.ts'
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

/** A URL of the shop, which may hold `{CHECKOUT_ID}` where there is a checkout. */
export const redirectUrl = ({ hasCheckout }: { hasCheckout: boolean }) =>
  z
    .string()
    .superRefine((url, context) => {
      const message = redirectUrlProblem(url, { hasCheckout })
      if (message) context.addIssue({ code: 'custom', message })
    })
    .meta({ maxLength: 2048 })

export const RedirectUrl = redirectUrl({ hasCheckout: true })
const placeholder = 'An absolute http or https URL. `{CHECKOUT_ID}` in it is replaced by the id of the checkout.'

export const Locale = z
  .string()
  .refine((value) => value.length <= 100 && foldLocale(value) !== null, {
    error: `Must be a language, BCP 47 tag or POSIX locale that folds to one of ${locales.join(', ')}.`,
  })
  .transform((value) => foldLocale(value))

export const CheckoutItem = z.object({
  id: id('one_off_product_', 'subscription_plan_').describe('A product or plan that is active and not archived.'),
  quantity: z.int().min(1).max(999_999).default(1).describe('How many units are sold.'),
  price: EuroPrice.nullish().describe('Replaces the price of the product; for a plan, at every renewal too.'),
  trialDays: z.int().min(0).max(730).nullish().describe('Days without charge, from the payment. For plans only.'),
  metadata: OptionalMetadata,
})

const CheckoutStatus = z.enum(['created', 'paid', 'canceled', 'failed', 'expired'])

export const CheckoutShape = z
  .object({
    id: z.string().describe('The id of this checkout.'),
    resource: z.literal('checkout').describe('The type of the resource.'),
    testmode: z.boolean().describe('Whether the checkout belongs to test mode.'),
    orderId: z.string().nullable().describe('The id of the order; null until the checkout is paid.'),
    customerId: z.string().nullable().describe('The id of the customer; null until there is one.'),
    redirectUrlSuccess: z.string().describe('Where the buyer goes after the payment.'),
    redirectUrlCanceled: z.string().describe('Where the buyer goes after a cancellation.'),
    metadata: MetadataShape,
    locale: z.enum(locales).nullable().describe("The language of the page; null if the buyer's browser chooses it."),
    paymentLinkId: z.string().nullable().describe('The id of the payment link that made it; null for others.'),
    status: CheckoutStatus.describe(
      '`created` and `failed` can still be paid; `failed` had a declined payment. The others are final.',
    ),
    expiresAt: WireMoment.nullable().describe('Until when the buyer can pay.'),
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
    'Creates a checkout with a snapshot of its products. The buyer pays at `links.checkoutUrl`. A payment ' +
    'sends `checkout.paid`, `subscription.started` for each plan, and `order.paid`, in this order. A ' +
    'declined payment sends `checkout.failed`; the end without a payment sends `checkout.canceled` or ' +
    '`checkout.expired`. Refuses products that are archived or not active, and products with different ' +
    '`taxBehavior`.',
  body: z.object({
    products: z.array(CheckoutItem).min(1).max(50).describe('What is sold. All have the same `taxBehavior`.'),
    redirectUrlSuccess: RedirectUrl.describe(`Where the buyer goes after the payment. ${placeholder}`),
    redirectUrlCanceled: RedirectUrl.describe(`Where the buyer goes after a cancellation. ${placeholder}`),
    metadata: OptionalMetadata,
    customerId: id('customer_').nullish().describe('An existing customer, whose email address is prefilled.'),
    billingAddress: BillingAddress.nullish().describe('Billing details that are prefilled. The buyer can edit them.'),
    locale: Locale.nullish().describe(
      `A language, BCP 47 tag or POSIX locale that folds to one of ${locales.join(', ')}; null: the buyer's browser.`,
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
          intervalCount: z.int().describe('Units in a billing interval.'),
          firstChargeAt: WireMoment.describe(
            'When the first interval is charged: with the checkout, or at the end of the trial.',
          ),
          subtotal: QuoteFields.subtotal,
          taxSummary: QuoteFields.taxSummary,
          total: QuoteFields.total,
        }),
      )
      .describe('What each plan costs for a billing interval.'),
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
    'An addition to the contract. Returns what a buyer would pay, with tax, for a pricing page. Creates nothing. ' +
    'A tax ID is checked by its form only: the preview asks no registry, and takes an ID as confirmed unless the registry ' +
    'has rejected it within a day. Refuses the products that a checkout refuses, a tax ID that is not of the country, and ' +
    'a currency that buyers in the country are not offered. No idempotency key is needed.',
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
