import type { z } from 'zod'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import { isStorableText } from '../../kernel/text.ts'
import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { listEnvelope } from '../../platform/http/paging.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { commandLine } from '../audit/command-line.ts'
import type { Actor } from '../audit/rules/entry.ts'
import { writeAudit } from '../audit/write.ts'
import { type Transaction, transact } from '../events/transact.ts'
import { notifyMembers } from '../operators/notify-members.ts'
import type { createPlan, createProduct, listPlans, updatePlan, updateProduct } from './contract.ts'
import { productResource } from './resource.ts'
import * as rules from './rules/index.ts'
import * as store from './store.ts'
import { approveInTestMode } from './tasks.ts'
import { termsVersion } from './terms-version.ts'

const testReviewMs = 2_000

/** For a request that the schema refuses on other fields. */
export function validateInterval(
  { testmode }: Tenant,
  { interval, intervalCount = 1 }: WellFormed<z.infer<typeof createPlan.body & object>>,
): FieldErrors {
  const problem = interval && rules.intervalCountProblem(interval, intervalCount, { testmode })
  return problem ? { [problem.field]: [problem.sentence] } : {}
}

/** The same for an update of a plan: missing fields keep their values. */
export async function validateNewInterval(
  tenant: Tenant,
  id: string,
  body: WellFormed<z.infer<typeof updatePlan.body & object>>,
): Promise<FieldErrors> {
  const live = (await store.findProduct(db(), tenant, 'subscription_plan', id))?.terms.billingInterval
  const { interval, intervalCount } = body
  if (!live || (interval === undefined && intervalCount === undefined)) return {}
  return validateInterval(tenant, {
    interval: interval ?? live.interval,
    intervalCount: intervalCount ?? live.intervalCount,
  })
}

type Creation = z.infer<typeof createPlan.body & object> | z.infer<typeof createProduct.body & object>

/** `active` at once in test mode, `pending` until an operator's review in live mode. */
export async function create(context: RequestContext, kind: rules.ProductKind, body: Creation) {
  const billingInterval =
    'interval' in body
      ? { interval: body.interval, intervalCount: body.interval === 'year' ? 1 : body.intervalCount }
      : null
  const problem =
    billingInterval && rules.intervalCountProblem(billingInterval.interval, billingInterval.intervalCount, context)
  if (problem) throw invalid(problem.field, problem.sentence)
  return transact(context, async ({ sql, now, newId, ...tenant }) => {
    const isNew: rules.Product = {
      id: newId(`${kind}_`),
      kind,
      testmode: tenant.testmode,
      terms: {
        name: body.name,
        description: body.description,
        price: body.basePrice,
        productType: body.productType,
        billingInterval,
      },
      taxBehavior: body.taxBehavior,
      status: 'pending',
      review: 'pending',
      submittedAt: now,
      pendingTerms: null,
      rejectionReason: null,
      archivedAt: null,
      createdAt: now,
    }
    const product = tenant.testmode ? rules.approve(isNew, { everUsed: false }) : isNew
    await store.insertProduct(sql, tenant, product)
    return productResource(product)
  })
}

/** Refuses `not_found`. */
export async function get(tenant: Tenant, kind: rules.ProductKind, id: string) {
  const product = await store.findProduct(db(), tenant, kind, id)
  if (!product) throw new Refusal('not_found')
  return productResource(product)
}

export async function list(
  tenant: Tenant,
  kind: rules.ProductKind,
  query: z.infer<typeof listPlans.query & object>,
  url: URL,
) {
  const page = await store.pageOfProducts(db(), tenant, kind, query, query.includeArchived)
  return listEnvelope(page, query, url, productResource)
}

type Changes = z.infer<typeof updatePlan.body & object> | z.infer<typeof updateProduct.body & object>

/**
 * Submits an update for review; test mode approves it automatically within seconds. `seen` is the version of the terms
 * in the form, if any: another version is refused as `terms`.
 */
export async function submitUpdate(
  context: RequestContext,
  kind: rules.ProductKind,
  id: string,
  { basePrice, ...body }: Changes,
  seen?: string,
) {
  return transact(context, async (tx) => {
    const product = await locked(tx, kind, id)
    mustBeSeen(product, seen)
    const limits = { testmode: tx.testmode, everUsed: await store.wasEverUsed(tx.sql, id), now: tx.now }
    const next = rules.submitUpdate(product, { ...body, price: basePrice }, limits)
    await store.saveProduct(tx.sql, next)
    if (next.review !== null && next.pendingTerms !== null) {
      await tx.emit({ name: `${kind}.update_submitted`, object: productResource(next) })
    }
    if (tx.testmode && next.review !== null) {
      const dueAt = new Date(realNow().getTime() + testReviewMs)
      await tx.enqueue(approveInTestMode, { key: id, data: { productId: id }, dueAt })
    }
    return productResource(next)
  })
}

/** Takes an item off sale. Repeating it changes nothing and emits no event. */
export async function archive(context: RequestContext, kind: rules.ProductKind, id: string) {
  return transact(context, async (tx) => {
    const product = await locked(tx, kind, id)
    const next = rules.archive(product, tx.now)
    if (next !== product) await saveAndEmit(tx, next, 'archived')
  })
}

export async function unarchive(context: RequestContext, kind: rules.ProductKind, id: string) {
  return transact(context, async (tx) => {
    const product = await locked(tx, kind, id)
    const next = rules.unarchive(product)
    if (next !== product) await saveAndEmit(tx, next, 'unarchived')
    return productResource(next)
  })
}

const mostReviews = 10_000

/** Pending reviews of all storefronts' live mode, oldest first. */
export async function listReviews() {
  return (await store.reviewQueue(db(), mostReviews)).map(({ product, tenant }) => ({
    storefrontId: tenant.storefrontId,
    review: product.review,
    isNew: product.status !== 'active',
    ...productResource(product),
  }))
}

/** Begins the review: the merchant's further updates are refused until it ends. */
export const startReview = (id: string, by = commandLine()) =>
  review(id, { by, action: 'review.start' }, async ({ sql }, product) => save(sql, rules.startReview(product)))

/**
 * Approves a new item, an update, or both at once. An update that is no longer possible is rejected. `seen` is the
 * version of the terms that the operator read, if any: another version is refused as `terms`.
 */
export const approveReview = (id: string, by = commandLine(), seen?: string) =>
  review(id, { by, action: 'review.approve', seen }, approve)

/** The reason is kept for the merchant. `seen` as in `approveReview`. */
export async function rejectReview(id: string, reason: string, by = commandLine(), seen?: string) {
  if (reason.length > 2000 || !isStorableText(reason, { multiline: true }))
    throw invalid('reason', 'Must be text of at most 2,000 characters.')
  return review(id, { by, action: 'review.reject', seen }, async (tx, product) => {
    const next = rules.reject(product, reason)
    await save(tx.sql, next)
    if (product.pendingTerms) await tx.emit({ name: `${product.kind}.update_rejected`, object: productResource(next) })
    await notifyDecided(tx, product, next)
    return next
  })
}

/** The approval task of test mode. It does nothing if the update was withdrawn meanwhile. */
export async function autoApprove(tenant: TaskContext, productId: string): Promise<void> {
  const found = await store.findTenantOf(db(), productId)
  await transact(tenant, async (tx) => {
    const product = found && (await store.lockProduct(tx.sql, tx, found.product.kind, productId))
    if (product && product.review !== null) await approve(tx, product)
  })
}

async function approve(tx: Transaction, product: rules.Product): Promise<rules.Product> {
  const next = rules.approve(product, { everUsed: await store.wasEverUsed(tx.sql, product.id) })
  await save(tx.sql, next)
  const decision = next.rejectionReason === null ? 'update_approved' : 'update_rejected'
  if (product.pendingTerms) await tx.emit({ name: `${product.kind}.${decision}`, object: productResource(next) })
  await notifyDecided(tx, product, next)
  return next
}

const notifyDecided = (tx: Transaction, before: rules.Product, { id, terms, rejectionReason }: rules.Product) =>
  notifyMembers(
    tx,
    {
      kind: 'review_decided',
      itemName: (rejectionReason === null ? terms : (before.pendingTerms ?? terms)).name,
      isUpdate: before.status === 'active',
      rejectionReason,
    },
    `/catalog/${id}`,
  )

async function review(
  id: string,
  { by, action, seen }: { by: Actor; action: string; seen?: string | undefined },
  decide: (tx: Transaction, product: rules.Product) => Promise<rules.Product>,
) {
  const found = await store.findTenantOf(db(), id)
  if (!found) throw new Refusal('not_found')
  return transact(found.tenant, async (tx) => {
    const before = await locked(tx, found.product.kind, id)
    if (before.review !== null) mustBeSeen(before, seen)
    const next = await decide(tx, before)
    await writeAudit(tx.sql, by, { action, subject: id, before: audited(before), after: audited(next) })
    return { ...productResource(next), rejectionReason: next.rejectionReason }
  })
}

function mustBeSeen(product: rules.Product, seen: string | undefined): void {
  if (seen !== undefined && seen !== termsVersion(product))
    throw invalid('terms', 'They were changed after this page was shown. Here is what they are now.')
}

const audited = (product: rules.Product) => {
  const { name, status, basePrice, pendingUpdates } = productResource(product)
  return { name, status, basePrice, pendingUpdates, review: product.review, reason: product.rejectionReason }
}

async function save(sql: Transaction['sql'], product: rules.Product): Promise<rules.Product> {
  await store.saveProduct(sql, product)
  return product
}

async function saveAndEmit(tx: Transaction, product: rules.Product, what: 'archived' | 'unarchived'): Promise<void> {
  await store.saveProduct(tx.sql, product)
  await tx.emit({ name: `${product.kind}.${what}`, object: productResource(product) })
}

async function locked({ sql, ...tenant }: Transaction, kind: rules.ProductKind, id: string): Promise<rules.Product> {
  const product = await store.lockProduct(sql, tenant, kind, id)
  if (!product) throw new Refusal('not_found')
  return product
}
