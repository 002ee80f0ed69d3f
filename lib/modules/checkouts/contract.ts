import { z } from 'zod'
import { foldLocale, locales } from '../../kernel/locale.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import {
  BillingAddress,
  EuroPrice,
  id,
  LinkShape,
  Metadata,
  MetadataShape,
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
    .meta({ maxLength: 2048, ...(hasCheckout && { description: 'May contain {CHECKOUT_ID}.' }) })

const RedirectUrl = redirectUrl({ hasCheckout: true })

const Locale = z
  .string()
  .refine((value) => value.length <= 100 && foldLocale(value) !== null, {
    error: `Must be a language, BCP 47 tag or POSIX locale that folds to one of ${locales.join(', ')}.`,
  })
  .transform((value) => foldLocale(value))

/** One product of a new checkout. */
export const CheckoutItem = z.object({
  id: id('one_off_product_', 'subscription_plan_'),
  quantity: z.int().min(1).max(999_999).default(1),
  price: EuroPrice.nullish(),
  trialDays: z.int().min(0).max(730).nullish(),
  metadata: Metadata.nullish(),
})

export const CheckoutShape = z
  .object({
    id: z.string(),
    resource: z.literal('checkout'),
    testmode: z.boolean(),
    orderId: z.string().nullable(),
    customerId: z.string().nullable(),
    redirectUrlSuccess: z.string(),
    redirectUrlCanceled: z.string(),
    metadata: MetadataShape,
    locale: z.enum(locales).nullable(),
    status: z.enum(['created', 'paid', 'canceled', 'failed', 'expired']),
    expiresAt: WireMoment.nullable(),
    createdAt: WireMoment,
    links: z.object({ checkoutUrl: LinkShape, self: LinkShape, order: LinkShape.nullable() }),
  })
  .meta({ id: 'Checkout' })

const tag = 'Checkouts'

export const listCheckouts = endpoint({
  id: 'listCheckouts',
  method: 'GET',
  path: '/v1/checkouts',
  tag,
  summary: 'List checkouts, newest first.',
  query: listQuery({}),
  responses: { 200: listShape(CheckoutShape) },
  refuses: ['validation_failed'],
})

export const createCheckout = endpoint({
  id: 'createCheckout',
  method: 'POST',
  path: '/v1/checkouts',
  tag,
  summary: 'Create a hosted checkout. The buyer pays at links.checkoutUrl.',
  body: z.object({
    products: z.array(CheckoutItem).min(1).max(50),
    redirectUrlSuccess: RedirectUrl,
    redirectUrlCanceled: RedirectUrl,
    metadata: Metadata.nullish(),
    customerId: id('customer_').nullish(),
    billingAddress: BillingAddress.nullish(),
    locale: Locale.nullish(),
  }),
  responses: { 201: CheckoutShape },
  refuses: [],
})

export const getCheckout = endpoint({
  id: 'getCheckout',
  method: 'GET',
  path: '/v1/checkouts/{id}',
  tag,
  summary: 'Get a checkout.',
  params: z.object({ id: id('checkout_') }),
  responses: { 200: CheckoutShape },
  refuses: ['not_found'],
})
