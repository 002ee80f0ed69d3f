import type { Customer } from '../../modules/customers/store.ts'
import { lastWithdrawalDay, withdrawalState } from '../../modules/orders/rules/withdrawal.ts'
import { withdrawableOrders, withdrawalPath } from '../../modules/orders/withdrawals.ts'
import type { PortalOverview } from '../../modules/portal/page.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { contractNumber } from './declare.ts'
import { progressOf, withdrawableOf } from './withdrawable.ts'

export async function withdrawalsOf({
  tenant,
  customer,
  now,
}: {
  tenant: Tenant
  customer: Customer
  now: Date
}): Promise<PortalOverview['withdrawals']> {
  const views = []
  for (const order of await withdrawableOrders(db(), tenant, customer.id, now)) {
    const withdrawable = await withdrawableOf(order, tenant)
    if (!withdrawable || withdrawalState(order, { ...progressOf(withdrawable), now }) !== 'open') continue
    const left = withdrawable.lines.filter((line) => line.left > 0)
    views.push({
      number: contractNumber(order),
      description: left.map(({ name }) => name).join(', '),
      until: lastWithdrawalDay(order, customer.timeZone) ?? '',
      url: withdrawalPath(order.id),
    })
  }
  return views
}
