import { toWire } from '../kernel/moment.ts'
import { amount } from '../kernel/money.ts'
import { Refusal } from '../kernel/refusal.ts'
import { findStorefront, merchantSince, storefrontIdsOf } from '../modules/accounts/store.ts'
import { decisionsOf } from '../modules/audit/of-merchant.ts'
import { approveReview, rejectReview, startReview } from '../modules/catalog/operations.ts'
import type { MerchantHistory, ReviewPage, ReviewRow, ReviewsPage, ReviewValues } from '../modules/catalog/page.ts'
import type { Product, Terms } from '../modules/catalog/rules/product.ts'
import { countReviews, findTenantOf, type Reviewable, reviewQueue } from '../modules/catalog/store.ts'
import { termsVersion } from '../modules/catalog/terms-version.ts'
import { countLiveChargebacks } from '../modules/chargebacks/store.ts'
import { liveSalesSince } from '../modules/figures/store.ts'
import { realNow } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { staffOn } from './access.ts'
import { refused } from './act.ts'
import { formState, type Next } from './form-state.ts'
import { staffExportUrl } from './staff-exports.ts'

const reviewsOnPage = 100
const mostCounted = 1_000

export async function reviewsPage(cookies: string | null): Promise<ReviewsPage | null> {
  if (!(await staffOn('reviews', cookies))) return null
  const waiting = await reviewQueue(db(), reviewsOnPage)
  return {
    rows: await Promise.all(waiting.map(async (each) => (await reviewRow(each)).row)),
    count: await countReviews(db(), mostCounted),
    exportUrl: staffExportUrl('reviews'),
  }
}

/** One review with the proposed and the live values. If nothing with this id waits for a review, the state is `over`. Null for everyone except staff. */
export async function reviewPage(
  id: string,
  form: string | null,
  cookies: string | null,
): Promise<ReviewPage | { readonly state: 'over' } | null> {
  const operator = await staffOn('reviews/[id]', cookies)
  if (!operator) return null
  const found = await findTenantOf(db(), id)
  if (!found || found.product.review === null || found.tenant.testmode) return { state: 'over' }
  const { product } = found
  const { row, merchant } = await reviewRow(found)
  const isLive = product.status === 'active'
  const { typed, problems } = formState(operator, form, cookies)
  return {
    ...row,
    merchant: merchant.name,
    history: await historyOf(id, merchant.id),
    taxBehavior: product.taxBehavior,
    live: isLive ? valuesOf(product.terms) : null,
    proposed: valuesOf(product.pendingTerms ?? product.terms),
    termsVersion: termsVersion(product),
    reason: typed.reason ?? '',
    problems,
  }
}

/**
 * Starts, approves, or rejects a review. Redirects with a notice or the code of the refusal. If the rejection text
 * cannot be stored or the terms changed after the page was shown, the form keeps the entered values. Null for everyone
 * except staff.
 */
export async function submitReview(id: string, form: URLSearchParams, cookies: string | null): Promise<Next | null> {
  const operator = await staffOn('reviews/[id]', cookies)
  if (!operator) return null
  const page = `/admin/reviews/${encodeURIComponent(id)}`
  const reason = (form.get('reason') ?? '').replaceAll('\r\n', '\n').trim()
  const intent = form.get('intent')
  const seen = form.get('terms') ?? ''
  try {
    switch (intent) {
      case 'start':
        await startReview(id, operator.actor)
        return { redirectTo: `${page}?done=started` }
      case 'approve':
        // If a buyer has used the plan meanwhile, its interval can no longer change, and `approveReview` rejects the
        // update instead.
        return (await approveReview(id, operator.actor, seen)).rejectionReason === null
          ? { redirectTo: '/admin/reviews?done=approved' }
          : { redirectTo: '/admin/reviews?done=planInUse' }
      case 'reject':
        if (reason === '') return { redirectTo: `${page}?missing#problems` }
        await rejectReview(id, reason, operator.actor, seen)
        return { redirectTo: '/admin/reviews?done=rejected' }
      default:
        return { redirectTo: page }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'validation_failed') return refused(operator, { page, values: form }, error)
    return { redirectTo: `/admin/reviews?failed=${error.code}` }
  }
}

const decisionsShown = 10
const mostDisputes = 100
const yearMs = 365 * 86_400_000

async function historyOf(itemId: string, merchantId: string): Promise<MerchantHistory> {
  const storefrontIds = await storefrontIdsOf(db(), merchantId)
  const yearAgo = new Date(realNow().getTime() - yearMs).toISOString().slice(0, 10)
  const [since, decisions, disputes, sales] = [
    await merchantSince(db(), merchantId),
    await decisionsOf(db(), { itemId, storefrontIds }, decisionsShown),
    await countLiveChargebacks(db(), storefrontIds, mostDisputes),
    await liveSalesSince(db(), storefrontIds, yearAgo),
  ]
  return {
    since: since.toISOString(),
    decisions: decisions.map(({ subject, at, ...each }) => ({ ...each, id: subject, at: at.toISOString() })),
    disputes,
    sales: sales.map(({ currency, sales: minor, orders }) => ({ amount: amount(minor, currency), orders })),
  }
}

async function reviewRow({ product, tenant }: Reviewable) {
  const found = await findStorefront(db(), tenant.storefrontId)
  if (!found) throw new Error('the storefront of a review is missing')
  const { name: storefront, merchant } = found
  const row: ReviewRow = {
    id: product.id,
    kind: kindOf(product),
    name: (product.pendingTerms ?? product.terms).name,
    storefront: { id: tenant.storefrontId, name: storefront },
    state: product.review ?? 'pending',
    submittedAt: toWire(product.submittedAt ?? product.createdAt),
  }
  return { row, merchant }
}

function kindOf({ kind, status }: Product): ReviewRow['kind'] {
  if (status === 'active') return kind === 'subscription_plan' ? 'planUpdate' : 'productUpdate'
  return kind === 'subscription_plan' ? 'newPlan' : 'newProduct'
}

const valuesOf = ({ name, description, price, productType, billingInterval }: Terms): ReviewValues => ({
  name,
  description,
  price: amount(price.minor, price.currency),
  interval: billingInterval && { unit: billingInterval.interval, count: billingInterval.intervalCount },
  productType,
})
