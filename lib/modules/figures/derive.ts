import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { daysAfter } from './rules/days.ts'
import { type EndedCount, type FigureDay, figureDay, type PostedNet } from './rules/figure-day.ts'
import { groupBy } from './rules/group.ts'
import { type AmountChange, type Movements, movementsOf } from './rules/movements.ts'
import { isSameAmount, type RecurringAmount, recurringAfter } from './rules/recurring-amount.ts'
import { type Days, endedCounts, postedNets, type ShownSubscription, shownSubscriptions } from './sources.ts'
import { amountsBefore, figuresOf, historyOf, lastFiguresBefore } from './store.ts'

interface Derived {
  readonly figures: readonly FigureDay[]
  readonly changes: readonly AmountChange[]
}

/**
 * Events before the day `eventsFrom` may have been deleted. A span that starts before this day therefore keeps its
 * stored movements and cancellations.
 */
export async function derive(sql: Sql, tenant: Tenant, days: Days, eventsFrom: string | null): Promise<Derived> {
  const isKept = eventsFrom !== null && days.from < eventsFrom
  const posted = await postedNets(sql, tenant, days)
  const before = await lastFiguresBefore(sql, tenant, days.from)
  if (isKept) {
    const stored = storedMovements(before, await figuresOf(sql, tenant, days))
    return {
      changes: [],
      figures: figuresFrom(
        before,
        stored,
        posted,
        stored.flatMap(({ ended }) => ended),
      ),
    }
  }
  const changes = await amountChanges(sql, await shownSubscriptions(sql, tenant, days), days.from)
  const customers = [...new Set(changes.map(({ customerId }) => customerId))]
  const history = customers.length === 0 ? [] : await historyOf(sql, tenant, customers, days.from)
  const moved = [...movementsOf(history, changes)].flatMap(([day, byCurrency]) =>
    [...byCurrency].map(([currency, moved]) => ({ day, currency, moved })),
  )
  return { changes, figures: figuresFrom(before, moved, posted, await endedCounts(sql, tenant, days)) }
}

/**
 * Returns at most one change per subscription and day: the recurring amount at the end of the day. Omits a day that
 * starts and ends with the same amount, currency, and plan.
 */
async function amountChanges(sql: Sql, shown: readonly ShownSubscription[], from: string): Promise<AmountChange[]> {
  const ids = [...new Set(shown.map(({ subscriptionId }) => subscriptionId))]
  if (ids.length === 0) return []
  const stored = new Map((await amountsBefore(sql, ids, from)).map((each) => [each.subscriptionId, each]))
  const changes: AmountChange[] = []
  for (const [subscriptionId, events] of groupBy(shown, (each) => each.subscriptionId)) {
    let before: RecurringAmount | null = stored.get(subscriptionId) ?? null
    for (const [day, ofDay] of groupBy(events, (each) => each.day)) {
      const last = ofDay.at(-1)
      if (!last) continue
      const amount = recurringAfter(last.shown)
      if (!isSameAmount(before, amount)) changes.push({ ...amount, subscriptionId, customerId: last.customerId, day })
      before = amount
    }
  }
  return changes
}

type DayMovements = Pick<FigureDay, 'day' | 'currency'> & { readonly moved: Movements }

function figuresFrom(
  before: ReadonlyMap<string, FigureDay>,
  moved: readonly DayMovements[],
  posted: readonly PostedNet[],
  ended: readonly EndedCount[],
): FigureDay[] {
  const key = ({ day, currency }: Pick<FigureDay, 'day' | 'currency'>) => `${day} ${currency}`
  const movedBy = new Map(moved.map((each) => [key(each), each.moved]))
  const [postedBy, endedBy] = [groupBy(posted, key), groupBy(ended, key)]
  const last = new Map(before)
  const days = new Map([...moved, ...posted, ...ended].map((each) => [key(each), each]))
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([of, { day, currency }]) => {
      const figures = figureDay({
        day,
        currency,
        before: last.get(currency) ?? null,
        moved: movedBy.get(of) ?? null,
        posted: postedBy.get(of) ?? [],
        ended: endedBy.get(of) ?? [],
      })
      last.set(currency, figures)
      return figures
    })
}

function storedMovements(before: ReadonlyMap<string, FigureDay>, stored: readonly FigureDay[]) {
  const last = new Map(before)
  return stored.map((figures) => {
    const { day, currency } = figures
    const plans = new Map(figures.plans)
    for (const [plan, amount] of last.get(currency)?.plans ?? []) plans.set(plan, (plans.get(plan) ?? 0n) - amount)
    last.set(currency, figures)
    const ended = [...figures.cancellations].map(([reason, count]) => ({ day, currency, reason, count }))
    return { day, currency, moved: { ...movementsIn(figures), plans }, ended }
  })
}

const movementsIn = (figures: FigureDay): Omit<Movements, 'plans'> => ({
  new: figures.new,
  expansion: figures.expansion,
  contraction: figures.contraction,
  churn: figures.churn,
  reactivation: figures.reactivation,
  newSubscribers: figures.newSubscribers,
  churnedSubscribers: figures.churnedSubscribers,
  reactivatedSubscribers: figures.reactivatedSubscribers,
})

/** Splits the days into parts of at most one week, so that the events of each part fit into memory. A new part always starts on the day `cut`. */
export function* spansOf({ from, to }: Days, cut: string | null): Generator<Days> {
  for (let start = from; start <= to; ) {
    const week = daysAfter(start, 6)
    const last = cut !== null && start < cut && week >= cut ? daysAfter(cut, -1) : week
    const end = last < to ? last : to
    yield { from: start, to: end }
    start = daysAfter(end, 1)
  }
}
