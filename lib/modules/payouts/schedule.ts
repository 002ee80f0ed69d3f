import { toWire } from '../../kernel/moment.ts'
import { invalid } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { requireStorefront, sellingOf } from '../accounts/store.ts'
import { audited } from '../audit/audited.ts'
import { commandLine } from '../audit/command-line.ts'
import { type Transaction, transact } from '../events/transact.ts'
import { lockBalance } from '../ledger/store.ts'
import { newestAccounts } from './account-store.ts'
import { takeFromBalance } from './operations.ts'
import { withheldFrom } from './release.ts'
import { accountsAt } from './rules/account.ts'
import { releasedOf } from './rules/release.ts'
import { nameOfSchedule, nextTime, type PayoutSchedule, scheduleNamed, schedules } from './rules/schedule.ts'
import { findSchedule, lockSchedule, type RunningSchedule, saveSchedule } from './schedule-store.ts'
import { scheduledPayout } from './tasks.ts'

const shown = (schedule: RunningSchedule | null) => ({
  schedule: nameOfSchedule(schedule),
  nextAt: schedule && toWire(schedule.nextAt),
})
export type ShownSchedule = ReturnType<typeof shown>

export async function payoutSchedule(tenant: Tenant): Promise<ShownSchedule> {
  await requireStorefront(db(), tenant.storefrontId)
  return shown(await findSchedule(db(), tenant))
}

/** Returns the schedule with this name. Throws `validation_failed` for an unknown name. */
export function typedSchedule(name: string): PayoutSchedule | null {
  const schedule = scheduleNamed(name)
  const names = `manual, ${schedules.map(nameOfSchedule).join(', ')}`
  if (schedule === undefined) throw invalid('schedule', ruleProblem('listed', { values: names }))
  return schedule
}

/**
 * Sets the payout schedule of a storefront. Payouts that were already requested do not change. Throws
 * `validation_failed` for an unknown schedule or storefront.
 */
export async function setSchedule(context: RequestContext, name: string): Promise<ShownSchedule> {
  const schedule = typedSchedule(name)
  const tenant = { storefrontId: context.storefrontId, testmode: context.testmode }
  await requireStorefront(db(), tenant.storefrontId)
  return transact(context, async (tx) => shown(await begin(tx, tenant, schedule, tx.now)))
}

export const setScheduleTyped = (tenant: Tenant, name: string) =>
  setSchedule(
    audited<ShownSchedule>(tenant, commandLine(), {
      action: 'payout.schedule',
      subject: tenant.storefrontId,
      after: (set) => set,
    }),
    name,
  )

async function begin(
  tx: Transaction,
  tenant: Tenant,
  schedule: PayoutSchedule | null,
  after: Date,
): Promise<RunningSchedule | null> {
  const running = schedule && { ...schedule, nextAt: nextTime(schedule, after) }
  await saveSchedule(tx.sql, tenant, running)
  if (!running) return null
  const { storefrontId, testmode } = tenant
  // The key of the next task contains its time, so that the next task does not replace the running task that enqueues
  // it.
  const [at, mode] = [toWire(running.nextAt), testmode ? 'test' : 'live']
  await tx.enqueue(scheduledPayout, { key: `${storefrontId} ${mode} ${at}`, data: { at }, dueAt: running.nextAt })
  return running
}

/**
 * Requests the released balance in euros, and sets the time of the next request. Requests nothing if no balance is released, if no bank account is in effect,
 * or while the storefront is suspended. Does nothing if the schedule was changed after this task was enqueued.
 */
export async function runSchedule(context: TaskContext, { at }: { at: string }): Promise<void> {
  const tenant = { storefrontId: context.storefrontId, testmode: context.testmode }
  await transact(context, async (tx) => {
    const schedule = await lockSchedule(tx.sql, tenant)
    if (!schedule || toWire(schedule.nextAt) !== at) return
    await requestReleased(tx, tenant)
    // The database starts this task by its own clock, so `now` can be before `nextAt` if the clock of this process is behind.
    const after = new Date(Math.max(schedule.nextAt.getTime(), tx.now.getTime()))
    await begin(tx, tenant, schedule, after)
  })
}

async function requestReleased(tx: Transaction, tenant: Tenant): Promise<void> {
  const { current } = accountsAt(await newestAccounts(tx.sql, tenant), tx.now)
  if (!current || (await sellingOf(tx.sql, tenant)).isSuspended) return
  const balance = await lockBalance(tx.sql, tenant, 'EUR')
  const minor = releasedOf(balance, await withheldFrom(tx.sql, tenant, 'EUR', tx.now))
  if (minor > 0n) await takeFromBalance(tx, tenant, { minor, currency: 'EUR' }, { byHand: false, reference: null })
}
