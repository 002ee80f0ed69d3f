import { type Amount, amount, sum, toEuros } from '../kernel/money.ts'
import type { MonthlyRecurring, StorefrontOverview } from '../modules/accounts/page.ts'
import { newestRates } from '../modules/exchange/rates.ts'
import { balancesOf } from '../modules/ledger/store.ts'
import { salesByMonth } from '../modules/orders/sales-by-month.ts'
import { pageOfOrders } from '../modules/orders/store.ts'
import { countSubscriptions, subscriptionMoves } from '../modules/subscriptions/counts.ts'
import { monthsUpTo, subscriptionsByMonth } from '../modules/subscriptions/rules/by-month.ts'
import { monthlyRecurring } from '../modules/subscriptions/rules/recurring.ts'
import { now as clockNow, type Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { accessTo, type StorefrontPath } from './access.ts'
import { attentionOf, setUpOf } from './attention.ts'
import { orderRows } from './rows.ts'

/** The parts are converted to EUR as a whole and added up. */
function recurringOf(
  groups: Awaited<ReturnType<typeof countSubscriptions>>,
  rates: Awaited<ReturnType<typeof newestRates>>,
): MonthlyRecurring {
  const parts = monthlyRecurring(groups)
  const inEuros = parts.map(({ minor, currency }) => toEuros(minor, rates[currency].rate))
  return {
    total: amount(sum(inEuros), 'EUR'),
    parts: parts.map(({ minor, currency }) => amount(minor, currency)),
    ratesOf: parts.flatMap(({ currency }) => rates[currency].on ?? []).sort()[0] ?? null,
  }
}

const ordersShown = 8
const monthsShown = 12

/** The totals of a storefront in one mode, and its newest orders. */
export async function storefrontOverview(
  place: StorefrontPath,
  cookies: string | null,
): Promise<StorefrontOverview | null> {
  const access = await accessTo(place, '', cookies)
  if (!access) return null
  const { tenant } = access
  const groups = await countSubscriptions(db(), tenant)
  const inState = (state: (typeof groups)[number]['status']) =>
    groups.filter(({ status }) => status === state).reduce((sum, { count }) => sum + count, 0)
  const now = await clockNow(db(), tenant)
  const months = monthsUpTo(now, monthsShown)
  const from = new Date(`${months[0]}-01T00:00:00Z`)
  const moves = await subscriptionMoves(db(), tenant, from)
  const sales = await salesByMonth(db(), tenant, from)
  const orders = await orderRows(db(), (await pageOfOrders(db(), tenant, { limit: ordersShown })).rows)
  return {
    attention: await attentionOf(access),
    setUp: orders.some(({ status }) => status === 'paid') ? [] : await setUpOf(access),
    months: subscriptionsByMonth(months, moves).map((each) => ({
      ...each,
      sales: sales.filter(({ month }) => month === each.month).map(({ net, currency }) => amount(net, currency)),
    })),
    balances: access.mayOpen('balance') ? await balanceOf(tenant) : null,
    monthlyRecurring: recurringOf(groups, await newestRates(db(), tenant, now)),
    active: inState('active'),
    inTrial: inState('trial'),
    orders,
  }
}

/** The amount that the service owes the merchant, by currency: the credit balance of the ledger account. */
const balanceOf = async (tenant: Tenant): Promise<Amount[]> =>
  (await balancesOf(db(), tenant))
    .filter(({ account }) => account === 'merchant_balance')
    .map((each) => amount(-each.amount, each.currency))
