import { z } from 'zod'
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

/** A language in a request, folded to one of the supported ones. */
export const Locale = z
  .string()
  .refine((value) => value.length <= 100 && foldLocale(value) !== null, {
    error: `Must be a language, BCP 47 tag or POSIX locale that folds to one of ${locales.join(', ')}.`,
  })
  .transform((value) => foldLocale(value))

/** One product of a new checkout. */
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
