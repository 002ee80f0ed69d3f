import { toWire } from '../../kernel/moment.ts'
import { type Selling, sellingOf } from '../../modules/accounts/store.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { heldByRecovery } from '../../modules/recovery/store.ts'
import { currentSubscription } from '../../modules/subscriptions/resource.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import * as store from '../../modules/subscriptions/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { type BatchedTask, batchable, Reschedule, type TaskClaim } from '../../platform/jobs/tasks.ts'
import { BatchChanged } from '../../platform/jobs/transact.ts'
import { sendEnd } from '../customer-emails/end.ts'
import { writeOffOutstanding } from '../recovery/write-off.ts'
import { renewAll } from './renew.ts'
import { endedBeforeLifting, hasWaited } from './waited.ts'

/** The time, in milliseconds, until the service checks again whether the storefront is suspended. */
const suspendedForMs = 6 * 3_600_000

type PeriodEnd = BatchedTask<{ subscriptionId: string; endsAt: string }>

interface Ending {
  readonly task: PeriodEnd
  readonly subscription: rules.Subscription | null
  readonly isRecovering: boolean
}

/**
 * Bills the next period, or ends the grace period. Returns the claims of the completed tasks. During a recovery, the
 * next period is not billed. Its task is scheduled again when the recovery ends. In a suspended storefront, the next
 * period is not billed either, and later begins when it is charged. The renewals that `isPlain` accepts share a
 * transaction. Every other task runs alone.
 */
export async function endPeriods(tenant: Tenant, tasks: readonly PeriodEnd[]): Promise<TaskClaim[]> {
  const together = tasks.length === 1 ? tasks : await plainOf(tenant, tasks)
  if (together.length === 0) return []
  const claim = together.map((task) => task.claim)
  await transact({ ...tenant, claim }, async (tx) => {
    const locked = await store.lockSubscriptions(tx.sql, tenant, together.map(subscriptionIdOf))
    const [endings, selling] = await Promise.all([endingsOf(tx.sql, locked, together), sellingOf(tx.sql, tenant)])
    const [only] = endings
    if (only && endings.length === 1) return endPeriod(tx, only, selling)
    return renewTogether(tx, endings, selling)
  })
  return claim
}

async function plainOf(tenant: Tenant, tasks: readonly PeriodEnd[]): Promise<PeriodEnd[]> {
  const endings = await endingsOf(db(), await store.findSubscriptions(db(), tenant, tasks.map(subscriptionIdOf)), tasks)
  const selling = await sellingOf(db(), tenant)
  const plain = new Set(endings.filter((ending) => isPlain(ending, selling)).map(({ task }) => task))
  return batchable(tasks, (task) => plain.has(task))
}

function isPlain({ task, subscription, isRecovering }: Ending, selling: Selling): boolean {
  if (!subscription || isRecovering || selling.isSuspended || endedBeforeLifting(subscription, selling)) return false
  const { status, mandate, renewedUntil, scheduledUpdate, parked } = subscription
  const isCurrent = renewedUntil !== null && toWire(renewedUntil) === task.data.endsAt
  const isUnchanged = status === 'active' && scheduledUpdate === null && parked.length === 0
  return isCurrent && isUnchanged && mandate !== null && rules.amountOf(subscription) > 0n
}

async function renewTogether(tx: Transaction, endings: readonly Ending[], selling: Selling): Promise<void> {
  const renewals = endings.map((ending) => {
    const { subscription, task } = ending
    const own = tx.at(task.claim)
    const due = subscription?.renewedUntil
    if (!subscription || !due || !isPlain(ending, selling) || due > own.now) throw new BatchChanged()
    return { subscription, due, own }
  })
  await renewAll(tx, renewals)
}

async function endPeriod(
  tx: Transaction,
  { task, subscription, isRecovering }: Ending,
  selling: Selling,
): Promise<Reschedule | undefined> {
  const due = subscription?.renewedUntil
  if (!due || toWire(due) !== task.data.endsAt) return
  if (tx.now < due) return new Reschedule(due)
  if (subscription.status === 'on_grace_period') await lapse(tx, subscription)
  else if (rules.nextRenewalAt(subscription) && !isRecovering) {
    if (selling.isSuspended) return new Reschedule(new Date(tx.now.getTime() + suspendedForMs))
    await renewAll(tx, [{ subscription, due, waited: await hasWaited(tx.sql, subscription, selling) }])
  }
  return
}

async function lapse(tx: Transaction, subscription: rules.Subscription): Promise<void> {
  const lapsed = rules.lapse(subscription, tx.now)
  await store.saveSubscription(tx.sql, lapsed)
  await writeOffOutstanding(tx, lapsed, 'wait')
  await tx.emit({
    name: 'subscription.cancellation_grace_period_completed',
    object: await currentSubscription(tx.sql, lapsed),
  })
  await sendEnd(tx, lapsed)
}

async function endingsOf(
  sql: Sql,
  subscriptions: readonly rules.Subscription[],
  tasks: readonly PeriodEnd[],
): Promise<Ending[]> {
  const byId = new Map(subscriptions.map((each) => [each.id, each]))
  const recovering = await heldByRecovery(sql, [...byId.keys()])
  return tasks.map((task) => {
    const id = subscriptionIdOf(task)
    return { task, subscription: byId.get(id) ?? null, isRecovering: recovering.has(id) }
  })
}

const subscriptionIdOf = ({ data }: PeriodEnd): string => data.subscriptionId
