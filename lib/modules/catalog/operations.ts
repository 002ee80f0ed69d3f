import type { z } from 'zod'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
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

const mostOfReason = 2000
const tooLong = ruleProblem('characters_at_most', { most: mostOfReason }, 'Must be text of at most 2,000 characters.')

/** Checks the billing interval even if the schema refuses other fields, so that one response lists all errors. */
export function validateInterval(
  { testmode }: Tenant,
  { interval, intervalCount = 1 }: WellFormed<z.infer<typeof createPlan.body & object>>,
): FieldErrors {
  const found = interval && rules.intervalCountProblem(interval, intervalCount, { testmode })
  return found ? { [found.field]: [found.problem] } : {}
}

/** Checks the billing interval of a plan update. Uses the current value for an omitted field. */
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

/**
 * In test mode, the item is `active` immediately. In live mode, the item is `pending` until an operator approves it.
 */
export async function create(context: RequestContext, kind: rules.ProductKind, body: Creation) {
  const billingInterval =
    'interval' in body
      ? { interval: body.interval, intervalCount: body.interval === 'year' ? 1 : body.intervalCount }
      : null
  const found =
    billingInterval && rules.intervalCountProblem(billingInterval.interval, billingInterval.intervalCount, context)
  if (found) throw invalid(found.field, found.problem)
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
 * Submits an update for review. In test mode, a task approves the update within seconds. `seen` is the terms version
 * that the form showed. Throws an error on the field `terms` if `seen` is outdated.
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

export async function listReviews() {
  return (await store.reviewQueue(db(), mostReviews)).map(({ product, tenant }) => ({
    storefrontId: tenant.storefrontId,
    review: product.review,
    isNew: product.status !== 'active',
    ...productResource(product),
  }))
}

export const startReview = (id: string, by = commandLine()) =>
  review(id, { by, action: 'review.start' }, async ({ sql }, product) => save(sql, rules.startReview(product)))

/**
 * Approves an item or its update. Rejects the update if it is no longer possible. `seen` is the terms version that the operator read. Throws an error on the
 * field `terms` if `seen` is outdated.
 */
export const approveReview = (id: string, by = commandLine(), seen?: string) =>
  review(id, { by, action: 'review.approve', seen }, approve)

/**
 * Rejects an item or its update. The API returns `reason` to the merchant. `seen` is the terms version that the
 * operator read. Throws an error on the field `terms` if `seen` is outdated.
 */
export async function rejectReview(id: string, reason: string, by = commandLine(), seen?: string) {
  if (reason.length > mostOfReason || !isStorableText(reason, { multiline: true })) throw invalid('reason', tooLong)
  return review(id, { by, action: 'review.reject', seen }, async (tx, product) => {
    const next = rules.reject(product, reason)
    await save(tx.sql, next)
    if (product.pendingTerms) await tx.emit({ name: `${product.kind}.update_rejected`, object: productResource(next) })
    await notifyDecided(tx, product, next)
    return next
  })
}

/** Approves an item or its update in test mode. Does nothing if no review is pending anymore. */
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
  if (seen !== undefined && seen !== termsVersion(product)) throw invalid('terms', ruleProblem('terms_changed'))
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
