import { type Amount, amount } from '../kernel/money.ts'
import type { StorefrontOverview } from '../modules/accounts/page.ts'
import { balancesOf } from '../modules/ledger/store.ts'
import { pageOfOrders } from '../modules/orders/store.ts'
import { now as clockNow, type Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { accessTo, type StorefrontPath } from './access.ts'
import { attentionOf, setUpOf } from './attention.ts'
import { type FigureChoice, homeFigures } from './home-figures.ts'
import { orderRows } from './rows.ts'

const ordersShown = 8

/** The figures of a storefront in one mode, and its newest orders. */
export async function storefrontOverview(
  place: StorefrontPath,
  choice: FigureChoice,
  cookies: string | null,
): Promise<StorefrontOverview | null> {
  const access = await accessTo(place, '', cookies)
  if (!access) return null
  const { tenant } = access
  const orders = await orderRows(db(), (await pageOfOrders(db(), tenant, { limit: ordersShown })).rows)
  return {
    attention: await attentionOf(access),
    setUp: orders.some(({ status }) => status === 'paid') ? [] : await setUpOf(access),
    figures: await homeFigures(access, choice, await clockNow(db(), tenant)),
    balances: access.mayOpen('balance') ? await balanceOf(tenant) : null,
    orders,
  }
}

/** The amount that the service owes the merchant, by currency: the credit balance of the ledger account. */
const balanceOf = async (tenant: Tenant): Promise<Amount[]> =>
  (await balancesOf(db(), tenant))
    .filter(({ account }) => account === 'merchant_balance')
    .map((each) => amount(-each.amount, each.currency))
