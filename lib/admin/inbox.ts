import { type Amount, amount } from '../kernel/money.ts'
import { storefrontNames } from '../modules/accounts/store.ts'
import { auditLog } from '../modules/audit/operations.ts'
import { countReviews, reviewQueue } from '../modules/catalog/store.ts'
import { countDisputesNeedingAction } from '../modules/chargebacks/open.ts'
import { chargebacksToDecide, countChargebacksToDecide } from '../modules/chargebacks/store.ts'
import { newestCheck } from '../modules/invariants/store.ts'
import type { InboxPage, InboxRow } from '../modules/operators/page.ts'
import { ageOf } from '../modules/operators/rules/age.ts'
import { liveOpenPayouts } from '../modules/payouts/export-store.ts'
import { newest } from '../modules/reconciliations/store.ts'
import { realNow } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { failingTasks } from '../platform/jobs/due-tasks.ts'
import { personOn } from './access.ts'
import { mostCounted } from './attention.ts'
import { auditRows } from './audit.ts'
import { reachedThresholds } from './reached.ts'

/**
 * The maximum number of reviews in the inbox, and the maximum number of disputes. Each review and each dispute has its
 * own row.
 */
const mostOfOne = 20
const entriesOnPage = 8

interface Waiting {
  readonly kind: InboxRow['kind']
  /** The name of the item. Null for a kind of item that needs no name. */
  readonly name: string | null
  /** The number of items in this row. Counting stops at `mostCounted`. */
  readonly count: number
  readonly amount: Amount | null
  readonly storefrontId: string | null
  readonly since: Date | null
  readonly url: string
}

const none = { count: 1, name: null, amount: null, storefrontId: null, since: null } as const

const reviews = async (): Promise<Waiting[]> =>
  (await reviewQueue(db(), mostOfOne)).map(({ product, tenant }) => ({
    ...none,
    kind: 'review',
    name: (product.pendingTerms ?? product.terms).name,
    storefrontId: tenant.storefrontId,
    since: product.submittedAt,
    url: `/admin/reviews/${product.id}`,
  }))

const disputes = async (): Promise<Waiting[]> =>
  (await chargebacksToDecide(db(), mostOfOne)).map(({ chargeback, tenant: { storefrontId, testmode } }) => ({
    ...none,
    kind: 'dispute',
    amount: amount(chargeback.amount, chargeback.currency),
    storefrontId,
    since: chargeback.createdAt,
    url: `/admin/${testmode ? 'test' : 'live'}/${storefrontId}/chargebacks/${chargeback.id}`,
  }))

async function payouts(): Promise<Waiting[]> {
  const states = [
    { kind: 'payout', status: 'requested' },
    { kind: 'bankFile', status: 'exported' },
  ] as const
  const open = await Promise.all(
    states.map(async ({ kind, status }) => ({ kind, ...(await liveOpenPayouts(db(), status, mostCounted)) })),
  )
  return open
    .filter(({ count }) => count > 0)
    .map(({ kind, count, oldestAt }) => ({ ...none, kind, count, since: oldestAt, url: '/admin/payout-files' }))
}

/** One row per task name, because all tasks with the same name fail together when a provider is down. */
async function jobs(): Promise<Waiting[]> {
  const byName = new Map<string, Waiting>()
  for (const { name, createdAt } of await failingTasks(mostCounted)) {
    const known = byName.get(name)
    const since = known?.since && known.since < createdAt ? known.since : createdAt
    byName.set(name, { ...none, kind: 'job', name, count: (known?.count ?? 0) + 1, since, url: '/admin/work#failing' })
  }
  return [...byName.values()]
}

async function daily(): Promise<Waiting[]> {
  const [compared, check] = await Promise.all([newest(db()), newestCheck(db())])
  return [
    ...compared
      .filter(({ differences }) => differences.length > 0)
      .map(({ provider, differences: { length }, finishedAt }) => ({
        ...none,
        kind: 'difference' as const,
        name: provider,
        count: Math.min(length, mostCounted),
        since: finishedAt,
        url: '/admin/work#reconciliations',
      })),
    ...Object.keys(check?.broken ?? {}).map((name) => ({
      ...none,
      kind: 'invariant' as const,
      name,
      since: check?.finishedAt ?? null,
      url: '/admin/invariants',
    })),
  ]
}

const thresholds = async (): Promise<Waiting[]> =>
  (await reachedThresholds()).map((country) => ({
    ...none,
    kind: 'threshold',
    name: country,
    url: '/admin/thresholds',
  }))

const oldestFirst = (a: Waiting, b: Waiting) => (a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0)

export async function inboxPage(cookies: string | null): Promise<InboxPage | null> {
  const person = await personOn('', cookies)
  if (person?.membership !== null) return null
  const rows = (await Promise.all([reviews(), disputes(), payouts(), thresholds(), daily(), jobs()]))
    .flat()
    .sort(oldestFirst)
  const { reviews: reviewCount, disputes: disputeCount } = await countByQueue()
  const names = await storefrontNames(
    db(),
    rows.flatMap(({ storefrontId }) => storefrontId ?? []),
  )
  const now = realNow()
  return {
    rows: rows.map(({ storefrontId, since, ...row }) => ({
      ...row,
      storefront: storefrontId === null ? null : (names.get(storefrontId) ?? null),
      since: since?.toISOString() ?? null,
      age: since && ageOf(since, now),
    })),
    more: [
      { kind: 'review' as const, count: reviewCount, url: '/admin/reviews' },
      { kind: 'dispute' as const, count: disputeCount, url: '/admin/chargebacks?status=requires_amount_review' },
    ].filter(({ count }) => count > mostOfOne),
    entries: await auditRows(await auditLog(null, entriesOnPage)),
  }
}

async function countByQueue() {
  const [reviews, disputes] = await Promise.all([
    countReviews(db(), mostCounted),
    countChargebacksToDecide(db(), mostCounted),
  ])
  return { reviews, disputes }
}

/**
 * Returns the counts for the sidebar. `inbox` counts the reviews, the disputes to decide, and all other rows of the
 * inbox. `disputes` counts the disputes that need action.
 */
export async function countWaiting(): Promise<{ inbox: number; reviews: number; disputes: number }> {
  const [queues, disputes, ...others] = await Promise.all([
    countByQueue(),
    countDisputesNeedingAction(db(), mostCounted),
    payouts(),
    jobs(),
    daily(),
    thresholds(),
  ])
  return { reviews: queues.reviews, disputes, inbox: queues.reviews + queues.disputes + others.flat().length }
}
