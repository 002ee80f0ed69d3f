// This file is longer than 300 lines, because it has the schemas of plans and products, which share many fields.
import { z } from 'zod'
import { intervals } from '../../kernel/calendar.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import { EuroPrice, id, MoneyShape, queryFlag, SelfLink, text, WireMoment } from '../../platform/http/shapes.ts'

const nameText = 'The name that buyers see.'
const descriptionText = 'The description that buyers see.'
const planTypeText = 'Always `saas`.'
const productTypeText = 'The type of the product: software as a service or an e-book.'
const Name = text({ min: 3, max: 255 }).describe(nameText)
const Description = text({ min: 1, max: 2000, multiline: true }).describe(descriptionText)
const TaxBehavior = z
  .enum(['exclusive', 'inclusive'])
  .describe('`exclusive`: tax is added to the price. `inclusive`: the price includes tax. Cannot be changed later.')
const intervalText = 'The unit of the billing interval. `day` exists in test mode only.'
const Interval = z.enum(intervals).meta({ examples: ['month'], description: intervalText })
const IntervalCount = z
  .int()
  .min(1)
  .describe(
    'The number of interval units in a billing cycle: at most 365 for `day`, 52 for `week`, 12 for ' +
      '`month`. Ignored for `year`.',
  )
const status = z
  .enum(['active', 'pending', 'rejected'])
  .describe('`active` can be sold. `pending` waits for its review. `rejected` was rejected by an operator.')
const updateStatus = z
  .enum(['pending', 'reviewing'])
  .nullable()
  .describe('Whether the pending update is under review. Null if no update is pending.')
const archivedAt = WireMoment.nullable().describe('When the item was archived; null while it is on sale.')
const pendingUpdatesText =
  'The fields of the pending update that differ from the live values. Null if no update is pending.'
const createdAt = WireMoment.describe('When the item was created.')
const links = z.object({ self: SelfLink }).describe('Links to related resources.')

const made = { updateStatus, createdAt, links }
const sharedFields = {
  id: z.string().describe('The id of this item.'),
  testmode: z.boolean().describe('Whether the item belongs to test mode.'),
  name: z.string().describe(nameText),
  description: z.string().describe(descriptionText),
  basePrice: MoneyShape.describe('The price, with or without tax according to `taxBehavior`.'),
  taxBehavior: TaxBehavior,
}
const sharedPending = {
  name: z.string().optional().describe('The name after the update.'),
  description: z.string().optional().describe('The description after the update.'),
  basePrice: MoneyShape.optional().describe('The price after the update.'),
}

export const PlanShape = z
  .object({
    ...sharedFields,
    resource: z.literal('subscription_plan').describe('The type of the resource.'),
    interval: Interval,
    intervalCount: z.int().describe('The number of interval units in a billing cycle. 1 if `interval` is `year`.'),
    productType: z.literal('saas').describe(planTypeText),
    status,
    archivedAt,
    pendingUpdates: z
      .object({
        ...sharedPending,
        interval: Interval.optional().describe('The unit of the billing interval after the update.'),
        intervalCount: z.int().optional().describe('The number of interval units in a billing cycle after the update.'),
      })
      .nullable()
      .describe(pendingUpdatesText),
    ...made,
  })
  .meta({ id: 'SubscriptionPlan' })

export const ProductShape = z
  .object({
    ...sharedFields,
    resource: z.literal('one_off_product').describe('The type of the resource.'),
    productType: z.enum(['saas', 'ebook']).describe(productTypeText),
    status,
    archivedAt,
    pendingUpdates: z
      .object({
        ...sharedPending,
        productType: z.enum(['saas', 'ebook']).optional().describe('The type of the product after the update.'),
      })
      .nullable()
      .describe(pendingUpdatesText),
    ...made,
  })
  .meta({ id: 'OneOffProduct' })

const creation = {
  name: Name,
  description: Description,
  basePrice: EuroPrice.describe('The price in EUR, with or without tax according to `taxBehavior`.'),
  taxBehavior: TaxBehavior.default('exclusive'),
}
const changes = {
  name: Name.optional().describe('The new name.'),
  description: Description.optional().describe('The new description.'),
  basePrice: EuroPrice.optional().describe('The new price in EUR.'),
}

const notEmpty =
  (schema: z.ZodObject) =>
  (body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
    Object.keys(schema.shape).every((field) => body[field] === undefined)
      ? { name: 'Send at least one field to change.' }
      : {}

const PlanChanges = z.object({
  ...changes,
  productType: z.literal('saas', { error: 'Must be "saas".' }).optional().describe(planTypeText),
  interval: Interval.optional().describe(
    'The new unit of the billing interval. It cannot be changed once a subscription has used the plan.',
  ),
  intervalCount: IntervalCount.optional(),
})
const ProductChanges = z.object({
  ...changes,
  productType: z.enum(['saas', 'ebook']).optional().describe(productTypeText),
})

const listItems = { includeArchived: queryFlag.describe('Whether the list includes archived items.') }

const plans = { tag: 'Subscription plans', params: z.object({ id: id('subscription_plan_') }) }
const products = { tag: 'One-off products', params: z.object({ id: id('one_off_product_') }) }

export const listPlans = endpoint({
  id: 'listSubscriptionPlans',
  method: 'GET',
  path: '/v1/subscription-plans',
  scope: 'read_only',
  tag: plans.tag,
  summary: 'List subscription plans.',
  description:
    'Returns the plans of the storefront and mode, newest first. Archived plans are listed with ' +
    '`includeArchived=true` only.',
  query: listQuery(listItems),
  responses: { 200: listShape(PlanShape) },
  refuses: [],
})

export const createPlan = endpoint({
  id: 'createSubscriptionPlan',
  method: 'POST',
  path: '/v1/subscription-plans',
  scope: 'no_refunds',
  tag: plans.tag,
  summary: 'Create a subscription plan.',
  description:
    'Creates a plan. In test mode it is `active` at once. In live mode it is `pending` until an operator ' +
    'approves it. Sends no event.',
  body: z.object({
    ...creation,
    productType: z.literal('saas', { error: 'Must be "saas".' }).describe(planTypeText),
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
  scope: 'read_only',
  ...plans,
  summary: 'Get a subscription plan.',
  description: 'Returns a plan, archived or not.',
  responses: { 200: PlanShape },
  refuses: ['not_found'],
})

export const updatePlan = endpoint({
  id: 'updateSubscriptionPlan',
  method: 'PATCH',
  path: '/v1/subscription-plans/{id}',
  scope: 'no_refunds',
  ...plans,
  summary: 'Submit an update of a subscription plan.',
  description:
    'Submits an update. The update replaces a pending update that is not yet under review, so send all ' +
    'changes to the live plan together. Fields that equal the live values are ignored. If no field ' +
    'differs, the pending update is withdrawn. In live mode an operator reviews the update. In test mode ' +
    'the update is approved within seconds. Sends `subscription_plan.update_submitted`, and ' +
    '`subscription_plan.update_approved` or `subscription_plan.update_rejected` after the review. ' +
    'Refuses an update during the review, and a change of `interval` on a plan that a subscription ' +
    'ever used.',
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
  scope: 'no_refunds',
  ...plans,
  summary: 'Archive a subscription plan.',
  description:
    'Takes a plan off sale. Lists hide it, checkouts refuse it and no subscription can switch to it. ' +
    'Existing subscriptions stay as they are. Sends `subscription_plan.archived`. A repeated request ' +
    'changes nothing.',
  responses: { 204: null },
  refuses: ['not_found'],
})

export const unarchivePlan = endpoint({
  id: 'unarchiveSubscriptionPlan',
  method: 'DELETE',
  path: '/v1/subscription-plans/{id}/archive',
  scope: 'no_refunds',
  ...plans,
  summary: 'Unarchive a subscription plan.',
  description:
    'Puts an archived plan back on sale, and sends `subscription_plan.unarchived`. Changes nothing if ' +
    'the plan is not archived.',
  responses: { 200: PlanShape },
  refuses: ['not_found'],
})

export const listProducts = endpoint({
  id: 'listOneOffProducts',
  method: 'GET',
  path: '/v1/one-off-products',
  scope: 'read_only',
  tag: products.tag,
  summary: 'List one-off products.',
  description:
    'Returns the products of the storefront and mode, newest first. Archived products are listed with ' +
    '`includeArchived=true` only.',
  query: listQuery(listItems),
  responses: { 200: listShape(ProductShape) },
  refuses: [],
})

export const createProduct = endpoint({
  id: 'createOneOffProduct',
  method: 'POST',
  path: '/v1/one-off-products',
  scope: 'no_refunds',
  tag: products.tag,
  summary: 'Create a one-off product.',
  description:
    'Creates a product. In test mode it is `active` at once. In live mode it is `pending` until an ' +
    'operator approves it. Sends no event.',
  body: z.object({ ...creation, productType: z.enum(['saas', 'ebook']).describe(productTypeText) }),
  responses: { 201: ProductShape },
  refuses: [],
})

export const getProduct = endpoint({
  id: 'getOneOffProduct',
  method: 'GET',
  path: '/v1/one-off-products/{id}',
  scope: 'read_only',
  ...products,
  summary: 'Get a one-off product.',
  description: 'Returns a product, archived or not.',
  responses: { 200: ProductShape },
  refuses: ['not_found'],
})

export const updateProduct = endpoint({
  id: 'updateOneOffProduct',
  method: 'PATCH',
  path: '/v1/one-off-products/{id}',
  scope: 'no_refunds',
  ...products,
  summary: 'Submit an update of a one-off product.',
  description:
    'Submits an update. The update replaces a pending update that is not yet under review, so send all ' +
    'changes to the live product together. Fields that equal the live values are ignored. If no field ' +
    'differs, the pending update is withdrawn. In live mode an operator reviews the update. In test mode ' +
    'the update is approved within seconds. Sends `one_off_product.update_submitted`, and ' +
    '`one_off_product.update_approved` or `one_off_product.update_rejected` after the review. Refuses ' +
    'an update during the review.',
  body: ProductChanges,
  validateCombination: notEmpty(ProductChanges),
  responses: { 200: ProductShape },
  refuses: ['not_found', 'update_under_review'],
})

export const archiveProduct = endpoint({
  id: 'archiveOneOffProduct',
  method: 'POST',
  path: '/v1/one-off-products/{id}/archive',
  scope: 'no_refunds',
  ...products,
  summary: 'Archive a one-off product.',
  description:
    'Takes a product off sale. Lists hide it and checkouts refuse it. A pending update stays. Sends ' +
    '`one_off_product.archived`. A repeated request changes nothing.',
  responses: { 204: null },
  refuses: ['not_found'],
})

export const unarchiveProduct = endpoint({
  id: 'unarchiveOneOffProduct',
  method: 'DELETE',
  path: '/v1/one-off-products/{id}/archive',
  scope: 'no_refunds',
  ...products,
  summary: 'Unarchive a one-off product.',
  description:
    'Puts an archived product back on sale, and sends `one_off_product.unarchived`. Changes nothing ' +
    'if the product is not archived.',
  responses: { 200: ProductShape },
  refuses: ['not_found'],
})
