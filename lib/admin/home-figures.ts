import { type Currency, currencies } from '../kernel/currencies.ts'
import { amount, sum } from '../kernel/money.ts'
import { findProducts } from '../modules/catalog/store.ts'
import { openFigures } from '../modules/figures/operations.ts'
import type { HomeFigures } from '../modules/figures/page.ts'
import { dayOf } from '../modules/figures/rules/days.ts'
import type { FigureDay } from '../modules/figures/rules/figure-day.ts'
import { churnRate, largest, type PeriodFigures, periodsOf } from '../modules/figures/rules/period.ts'
import { isRange, partBefore, partsOf, type Range, ranges } from '../modules/figures/rules/range.ts'
import { figuresIn, knownFigures, type SumsBefore, sumsOf } from '../modules/figures/store.ts'
import { db } from '../platform/db/db.ts'
import type { Access } from './access.ts'

export type FigureChoice = Readonly<Record<string, string | null>>

const entriesShown = 5

/** The figures of a range that ends now. The default currency is the currency with the most orders. */
export async function homeFigures(access: Access, choice: FigureChoice, now: Date): Promise<HomeFigures> {
  const { tenant, path } = access
  const range = isRange(choice.range) ? choice.range : '30d'
  const today = dayOf(now)
  const parts = partsOf(range, today)
  const { from } = parts[0]
  const known = await knownFigures(db(), tenant, from)
  const open = await openFigures(db(), tenant, known.closedDay, now)
  const used = orderedCurrencies(open.figures, known.orders)
  const currency = used.find((each) => each === choice.currency) ?? used[0] ?? 'EUR'
  // Reads only the chosen currency, because reading all currencies of a year would multiply the number of rows.
  const { before, days: stored } = await figuresIn(db(), tenant, currency, { from, to: open.storedUntil })
  const days = [...stored, ...open.figures.filter((each) => each.currency === currency && each.day >= from)]
  const periods = periodsOf(days, parts, before)
  const url = (other: { range?: Range; currency?: string }) =>
    `${path}?${new URLSearchParams({ range, currency, ...other })}#figures`
  const plans = largest([(days.at(-1) ?? before)?.plans ?? new Map()], entriesShown)
  const products = await findProducts(
    db(),
    tenant,
    plans.map(([id]) => id),
  )
  const isComplete = open.until >= today
  const previous = await sumsOf(db(), tenant, currency, partBefore(parts, today))
  return {
    range,
    ranges: ranges.map((name) => ({ name, url: url({ range: name }), isCurrent: name === range })),
    currency,
    currencies: used.map((name) => ({ name, url: url({ currency: name }), isCurrent: name === currency })),
    completeUntil: isComplete ? null : open.until,
    ...tilesOf(periods, before, isComplete ? previous : null, currency),
    periods: periods.map((period) => periodView(period, currency)),
    plans: plans.map(([id, mrr]) => ({
      name: products.get(id)?.terms.name ?? id,
      url: products.has(id) ? `${path}/catalog/${id}` : null,
      mrr: amount(mrr, currency),
    })),
    countries: largest(
      days.map(({ countries }) => countries),
      entriesShown,
    ).map(([country, net]) => ({
      country,
      netRevenue: amount(net, currency),
    })),
    cancellations: largest(
      days.map(({ cancellations }) => cancellations),
      8,
    ).map(([reason, count]) => ({ reason, count })),
  }
}

function orderedCurrencies(open: readonly FigureDay[], orders: ReadonlyMap<Currency, number>): Currency[] {
  const known = currencies.filter((each) => orders.has(each) || open.some(({ currency }) => currency === each))
  return known.sort((a, b) => (orders.get(b) ?? 0) - (orders.get(a) ?? 0))
}

/** If `previous` is null, the figures are incomplete, so the tiles have no comparison with the previous range. */
function tilesOf(
  periods: readonly PeriodFigures[],
  before: FigureDay | null,
  previous: SumsBefore | null,
  currency: Currency,
) {
  const last = periods.at(-1)
  const net = sum(periods.map(({ netRevenue }) => netRevenue))
  const churned = periods.reduce((count, { churnedSubscribers }) => count + churnedSubscribers, 0)
  const churn = churnRate(before?.closingSubscribers ?? 0, churned)
  const churnBefore = previous && churnRate(previous.openingSubscribers, previous.churnedSubscribers)
  const [mrr, subscribers] = [last?.closingMrr ?? 0n, last?.closingSubscribers ?? 0]
  const change = (from: number, to: number) => (previous ? changeOf(from, to) : null)
  return {
    netRevenue: {
      value: amount(net, currency),
      change: change(Number(previous?.netRevenue ?? 0n), Number(net)),
      course: periods.map(({ netRevenue }) => Number(netRevenue)),
    },
    mrr: {
      value: amount(mrr, currency),
      change: change(Number(before?.closingMrr ?? 0n), Number(mrr)),
      course: periods.map(({ closingMrr }) => Number(closingMrr)),
    },
    subscribers: {
      value: subscribers,
      change: change(before?.closingSubscribers ?? 0, subscribers),
      course: periods.map(({ closingSubscribers }) => closingSubscribers),
    },
    churn: {
      value: churn,
      change: churn === null || churnBefore === null ? null : change(churnBefore, churn),
      course: periods.map((each) => churnRate(each.openingSubscribers, each.churnedSubscribers) ?? 0),
    },
  }
}

/** The change in whole percent. Null unless the previous value is positive. */
const changeOf = (before: number, now: number): number | null =>
  before > 0 ? Math.round((now / before - 1) * 100) : null

const periodView = (period: PeriodFigures, currency: Currency) => ({
  from: period.from,
  to: period.to,
  netRevenue: amount(period.netRevenue, currency),
  mrr: amount(period.closingMrr, currency),
  new: amount(period.new, currency),
  expansion: amount(period.expansion, currency),
  reactivation: amount(period.reactivation, currency),
  contraction: amount(period.contraction, currency),
  churn: amount(period.churn, currency),
})
