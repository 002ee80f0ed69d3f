import { z } from 'zod'
import { intervals } from '../../kernel/calendar.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import { EuroPrice, id, LinkShape, MoneyShape, queryBoolean, text, WireMoment } from '../../platform/http/shapes.ts'

const Name = text({ min: 3, max: 255 })
const Description = text({ min: 1, max: 2000, multiline: true })
const TaxBehavior = z.enum(['exclusive', 'inclusive'])
const Interval = z.enum(intervals)
/** The maximum depends on the interval; a year plan ignores it. */
const IntervalCount = z.int().min(1).meta({ description: 'At most 365 for day, 52 for week, 12 for month.' })

const status = z.enum(['active', 'pending', 'rejected'])
const updateStatus = z.enum(['pending', 'reviewing']).nullable()
const links = z.object({ self: LinkShape })

const sharedFields = {
  id: z.string(),
  testmode: z.boolean(),
  name: z.string(),
  description: z.string(),
  basePrice: MoneyShape,
  taxBehavior: TaxBehavior,
}
const sharedPending = {
  name: z.string().optional(),
  description: z.string().optional(),
  basePrice: MoneyShape.optional(),
}

export const PlanShape = z
  .object({
    ...sharedFields,
    resource: z.literal('subscription_plan'),
    interval: Interval,
    intervalCount: z.int(),
    productType: z.literal('saas'),
    status,
    archivedAt: WireMoment.nullable(),
    pendingUpdates: z
      .object({ ...sharedPending, interval: Interval.optional(), intervalCount: z.int().optional() })
      .nullable(),
    updateStatus,
    createdAt: WireMoment,
    links,
  })
  .meta({ id: 'SubscriptionPlan' })

export const ProductShape = z
  .object({
    ...sharedFields,
    resource: z.literal('one_off_product'),
    productType: z.enum(['saas', 'ebook']),
    status,
    archivedAt: WireMoment.nullable(),
    pendingUpdates: z.object({ ...sharedPending, productType: z.enum(['saas', 'ebook']).optional() }).nullable(),
    updateStatus,
    createdAt: WireMoment,
    links,
  })
  .meta({ id: 'OneOffProduct' })

const creation = {
  name: Name,
  description: Description,
  basePrice: EuroPrice,
  taxBehavior: TaxBehavior.default('exclusive'),
}
const changes = { name: Name.optional(), description: Description.optional(), basePrice: EuroPrice.optional() }

/** At least one known field must be present; the error is reported on the first. */
const notEmpty =
  (schema: z.ZodObject) =>
  (body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
    Object.keys(schema.shape).every((field) => body[field] === undefined)
      ? { name: 'Send at least one field to change.' }
      : {}

const PlanChanges = z.object({
  ...changes,
  productType: z.literal('saas', { error: 'Must be "saas".' }).optional(),
  interval: Interval.optional(),
  intervalCount: IntervalCount.optional(),
})
const ProductChanges = z.object({ ...changes, productType: z.enum(['saas', 'ebook']).optional() })

const listItems = { includeArchived: queryBoolean }

const plans = { tag: 'Subscription plans', params: z.object({ id: id('subscription_plan_') }) }
const products = { tag: 'One-off products', params: z.object({ oneOffProductId: id('one_off_product_') }) }

export const listPlans = endpoint({
  id: 'listSubscriptionPlans',
  method: 'GET',
  path: '/v1/subscription-plans',
  tag: plans.tag,
  summary: 'List subscription plans, newest first.',
  query: listQuery(listItems),
  responses: { 200: listShape(PlanShape) },
  refuses: ['validation_failed'],
})

export const createPlan = endpoint({
  id: 'createSubscriptionPlan',
  method: 'POST',
  path: '/v1/subscription-plans',
  tag: plans.tag,
  summary: 'Create a subscription plan. In live mode an operator approves it first.',
  body: z.object({
    ...creation,
    productType: z.literal('saas', { error: 'Must be "saas".' }),
    interval: Interval,
    intervalCount: IntervalCount,
  }),
  responses: { 201: PlanShape },
  refuses: [],
})

export const getPlan = endpoint({
  id: 'getSubscriptionPlan',
  method: 'GET',
  path: '/v1/subscription-plans/{id}',
  ...plans,
  summary: 'Get a subscription plan.',
  responses: { 200: PlanShape },
  refuses: ['not_found'],
})

export const updatePlan = endpoint({
  id: 'updateSubscriptionPlan',
  method: 'PATCH',
  path: '/v1/subscription-plans/{id}',
  ...plans,
  summary: 'Submit an update for review. It replaces one that waits; no difference clears it.',
  body: PlanChanges,
  validateCombination: (body) => ({
    ...notEmpty(PlanChanges)(body),
    ...(body.interval !== undefined &&
      body.intervalCount === undefined && { intervalCount: 'This field is required when interval is sent.' }),
  }),
  responses: { 200: PlanShape },
  refuses: ['not_found', 'update_under_review', 'plan_in_use'],
})

export const archivePlan = endpoint({
  id: 'archiveSubscriptionPlan',
  method: 'POST',
  path: '/v1/subscription-plans/{id}/archive',
  ...plans,
  summary: 'Take a plan off sale. Existing subscribers stay.',
  responses: { 204: null },
  refuses: ['not_found'],
})

export const unarchivePlan = endpoint({
  id: 'unarchiveSubscriptionPlan',
  method: 'DELETE',
  path: '/v1/subscription-plans/{id}/archive',
  ...plans,
  summary: 'Put an archived plan back on sale.',
  responses: { 200: PlanShape },
  refuses: ['not_found'],
})

export const listProducts = endpoint({
  id: 'listOneOffProducts',
  method: 'GET',
  path: '/v1/one-off-products',
  tag: products.tag,
  summary: 'List one-off products, newest first.',
  query: listQuery(listItems),
  responses: { 200: listShape(ProductShape) },
  refuses: ['validation_failed'],
})

export const createProduct = endpoint({
  id: 'createOneOffProduct',
  method: 'POST',
  path: '/v1/one-off-products',
  tag: products.tag,
  summary: 'Create a one-off product. In live mode an operator approves it first.',
  body: z.object({ ...creation, productType: z.enum(['saas', 'ebook']) }),
  responses: { 201: ProductShape },
  refuses: [],
})

export const getProduct = endpoint({
  id: 'getOneOffProduct',
  method: 'GET',
  path: '/v1/one-off-products/{oneOffProductId}',
  ...products,
  summary: 'Get a one-off product.',
  responses: { 200: ProductShape },
  refuses: ['not_found'],
})

export const updateProduct = endpoint({
  id: 'updateOneOffProduct',
  method: 'PATCH',
  path: '/v1/one-off-products/{oneOffProductId}',
  ...products,
  summary: 'Submit an update for review. It replaces one that waits; no difference clears it.',
  body: ProductChanges,
  validateCombination: notEmpty(ProductChanges),
  responses: { 200: ProductShape },
  refuses: ['not_found', 'update_under_review'],
})

export const archiveProduct = endpoint({
  id: 'archiveOneOffProduct',
  method: 'POST',
  path: '/v1/one-off-products/{oneOffProductId}/archive',
  ...products,
  summary: 'Take a product off sale.',
  responses: { 204: null },
  refuses: ['not_found'],
})

export const unarchiveProduct = endpoint({
  id: 'unarchiveOneOffProduct',
  method: 'DELETE',
  path: '/v1/one-off-products/{oneOffProductId}/archive',
  ...products,
  summary: 'Put an archived product back on sale.',
  responses: { 200: ProductShape },
  refuses: ['not_found'],
})
