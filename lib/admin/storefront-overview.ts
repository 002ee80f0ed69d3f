import { type Amount, amount } from '../kernel/money.ts'
import type { StorefrontOverview } from '../modules/accounts/page.ts'
import { balancesOf } from '../modules/ledger/store.ts'
import { pageOfOrders } from '../modules/orders/store.ts'
import { now as clockNow, type Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { accessTo, type StorefrontPath } from './access.ts'
import { activityOf } from './activity.ts'
import { attentionOf, setUpOf } from './attention.ts'
import { type FigureChoice, homeFigures } from './home-figures.ts'
import { orderRows } from './rows.ts'

const ordersShown = 8

export async function storefrontOverview(
  place: StorefrontPath,
  choice: FigureChoice,
  cookies: string | null,
): Promise<StorefrontOverview | null> {
  const access = await accessTo(place, '', cookies)
  if (!access) return null
  const { tenant } = access
  const [attention, figures, balances, orders, activity] = await Promise.all([
    attentionOf(access),
    clockNow(db(), tenant).then((now) => homeFigures(access, choice, now)),
    access.mayOpen('balance') ? balanceOf(tenant) : null,
    pageOfOrders(db(), tenant, { limit: ordersShown }).then(({ rows }) => orderRows(db(), rows)),
    activityOf(access),
  ])
  return {
    attention,
    setUp: orders.some(({ status }) => status === 'paid') ? [] : await setUpOf(access),
    figures,
    balances,
    orders,
    activity,
    eventsUrl: access.mayOpen('events') ? `${access.path}/events` : null,
  }
}

/** The credit balance of the account `merchant_balance`, by currency. The service owes this amount to the merchant. */
const balanceOf = async (tenant: Tenant): Promise<Amount[]> =>
  (await balancesOf(db(), tenant))
    .filter(({ account }) => account === 'merchant_balance')
    .map((each) => amount(-each.amount, each.currency))
