import { transact } from '../../modules/events/transact.ts'
import { hasWaiters } from '../../modules/ledger/store.ts'
import { findOrders } from '../../modules/orders/store.ts'
import type { AppliedUpdate } from '../../modules/payments/apply-provider-update.ts'
import { findPayments, type Payment } from '../../modules/payments/store.ts'
import { inRecovery } from '../../modules/recovery/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { type BatchedTask, batchable, type TaskClaim } from '../../platform/jobs/tasks.ts'
import { BatchChanged } from '../../platform/jobs/transact.ts'
import { applyChargeUpdates, type ChargeUpdate, lockCharges } from './apply-charge-updates.ts'
import { chargeAtProvider } from './charge-at-provider.ts'
import { collectEarlier } from './late-charge.ts'

type ChargeTask = BatchedTask<{ paymentId: string }>

/** Charges each payment exactly once in spite of crashes. Returns the claims of the completed tasks. */
export async function runCharges(tenant: Tenant, tasks: readonly ChargeTask[]): Promise<TaskClaim[]> {
  const isAlone = tasks.length === 1
  if (!isAlone && (await mustRunAlone(db(), tenant, tasks))) return []
  const intended = await findPayments(
    db(),
    tenant,
    tasks.map(({ data }) => data.paymentId),
  )
  const moments = new Map(tasks.map(({ data, claim }) => [data.paymentId, claim.moment]))
  failpoint('charge.before_provider')
  const updates = await chargeAtProvider(tenant, intended, moments)
  failpoint('charge.after_provider')
  const together = isAlone ? tasks : await plainOf(tenant, tasks, intended, updates)
  if (together.length === 0) return []
  const claim = together.map((task) => task.claim)
  await transact({ ...tenant, claim }, async (tx) => {
    const charges = await lockCharges(tx, together.map(paymentIdOf))
    if (!isAlone) {
      const subscriptionIds = charges.map(({ subscription }) => subscription.id)
      const isDisturbed = (await inRecovery(tx.sql, subscriptionIds)).size > 0
      if (isDisturbed || (await mustRunAlone(tx.sql, tenant, tasks))) throw new BatchChanged()
    }
    const byId = new Map(charges.map((each) => [each.payment.id, each]))
    const settlements = together.flatMap((task) => {
      const charge = byId.get(paymentIdOf(task))
      const update = updates.get(paymentIdOf(task))
      return charge && update ? [{ charge, update, own: tx.at(task.claim) }] : []
    })
    const [earlier, own] = [settlements.filter(isOfEarlier), settlements.filter((each) => !isOfEarlier(each))]
    await applyChargeUpdates(tx, own)
    for (const { charge, update, own = tx } of earlier) await collectEarlier(own, charge, update)
  })
  return claim
}

/**
 * Whether each payment needs its own transaction. This is the case if refunds wait during a test clock advance: a
 * payment can release these refunds, which must get the time of the payment.
 */
const mustRunAlone = async (sql: Sql, tenant: Tenant, [first]: readonly ChargeTask[]): Promise<boolean> =>
  first?.claim.moment !== undefined && hasWaiters(sql, tenant)

/**
 * Returns the tasks that share a transaction. A task runs alone if its charge failed, if the charge pays a sale, or if
 * the subscription is in recovery. A task also runs alone if an earlier charge has paid the order.
 */
async function plainOf(
  tenant: Tenant,
  tasks: readonly ChargeTask[],
  payments: readonly Payment[],
  updates: ReadonlyMap<string, AppliedUpdate>,
): Promise<ChargeTask[]> {
  const orders = await findOrders(
    db(),
    tenant,
    payments.map(({ orderId }) => orderId),
  )
  const subscriptionOf = new Map(orders.map(({ id, subscriptionId }) => [id, subscriptionId ?? '']))
  const recovering = await inRecovery(db(), [...subscriptionOf.values()])
  const orderOf = new Map(payments.map(({ id, orderId }) => [id, orderId]))
  return batchable(tasks, (task) => {
    const status = updates.get(paymentIdOf(task))?.status
    const subscriptionId = subscriptionOf.get(orderOf.get(paymentIdOf(task)) ?? '') ?? ''
    const isOwn = subscriptionId !== '' && !updates.get(paymentIdOf(task))?.isEarlier
    return isOwn && (status === 'paid' || status === 'pending') && !recovering.has(subscriptionId)
  })
}

const isOfEarlier = ({ update }: ChargeUpdate): boolean => update.isEarlier === true

const paymentIdOf = ({ data }: ChargeTask): string => data.paymentId
