import type { z } from 'zod'
import { addDuration, type Duration, parseTypedDuration } from '../../kernel/calendar.ts'
import { endOfTime, toWire } from '../../kernel/moment.ts'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import { requireStorefront } from '../../modules/accounts/store.ts'
import { transact } from '../../modules/events/transact.ts'
import type { advanceClock as advanceEndpoint } from '../../modules/test-helpers/contract.ts'
import * as store from '../../modules/test-helpers/store.ts'
import { beforeAdvance } from '../../modules/test-helpers/tasks.ts'
import { now as clockNow, holdClock, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import { beginAdvance, cutAdvance, holdTimeouts } from '../../platform/jobs/advance-store.ts'
import type { TaskRunner } from '../../platform/jobs/task-runner.ts'
import { type AdvanceResult, claimAdvance, runAdvance } from '../../platform/jobs/test-clock.ts'
import { type RequestContext, withoutCompletion } from '../../platform/jobs/transact.ts'

const answerWithinMs = 30_000

/** In the response of an advance. */
const mostWaiting = 100

type Move = z.infer<typeof advanceEndpoint.body & object>

/** Refuses `validation_failed` on an unknown storefront. */
export async function showClock(storefrontId: string): Promise<{ now: string }> {
  await requireStorefront(db(), storefrontId)
  return { now: toWire(await clockNow(db(), { storefrontId, testmode: true })) }
}

/**
 * Runs due tasks in order, each at its own time. Returns when all tasks have run, or after 30 s with the number of
 * remaining tasks, which continue in the background. Refuses `validation_failed` on a move into the past or past 2999,
 * and `clock_busy` during an earlier advance.
 */
export async function advanceByDuration(
  context: RequestContext,
  move: Move,
  runner: TaskRunner,
  withinMs = answerWithinMs,
) {
  const { storefrontId, requestIdentity } = context
  const runnerId = await begin(context, move)
  const done = await runAdvance(storefrontId, runner, Date.now() + withinMs, runnerId)
  return transact(context, async ({ sql, now }) => {
    if (requestIdentity !== undefined) await store.forgetAdvancer(sql, storefrontId, requestIdentity)
    return { ...wire(now, done), waiting: await store.ordersWaiting(sql, context, mostWaiting) }
  })
}

/** Also accepts durations such as `25h` or `30d`. */
export async function advanceClock(storefrontId: string, by: string, runner: TaskRunner) {
  await showClock(storefrontId)
  const duration = parseTypedDuration(by)
  if (!duration) throw invalid('by', 'Must be a duration such as 25h, 30d or P1M.')
  return advanceByDuration({ storefrontId, testmode: true }, { by: duration }, runner)
}

/**
 * Stops at the clock's current time. Returns when running tasks have finished, or after 30 s with the number of
 * remaining tasks. Refuses `validation_failed` without an advance.
 */
export async function stopClock(storefrontId: string, runner: TaskRunner) {
  await requireStorefront(db(), storefrontId)
  const tenant = { storefrontId, testmode: true }
  const isCut = await db().$transaction(async (sql) => {
    await holdClock(sql, tenant, true)
    return cutAdvance(sql, storefrontId)
  }, holdTimeouts)
  if (!isCut) throw invalid('storefront', 'Its clock is not being advanced.')
  const done = await runAdvance(storefrontId, runner, Date.now() + answerWithinMs, null)
  return wire(await clockNow(db(), tenant), done)
}

/** The problems of an advance that the schema refuses. */
export async function validateAdvance(tenant: Tenant, move: WellFormed<Move>): Promise<FieldErrors> {
  const now = await clockNow(db(), tenant)
  const { by, to } = move
  const problems = { by: by && targetProblem(now, addDuration(now, by)), to: to && targetProblem(now, to) }
  return Object.fromEntries(Object.entries(problems).flatMap(([field, each]) => (each ? [[field, [each]]] : [])))
}

const wire = (now: Date, { ran, remaining }: AdvanceResult) => ({ now: toWire(now), ran, remaining })

/**
 * Claims the advance for this runner. A request repeated under its idempotency key (after a crash) continues its
 * advance instead of beginning another: then null, whichever runner has the claim. Another request under the same key
 * is no repetition.
 */
async function begin(tenant: RequestContext, move: Move): Promise<string | null> {
  const movedBy = tenant.requestIdentity ?? null
  const { storefrontId } = tenant
  return db().$transaction(async (sql) => {
    const { now } = await holdClock(sql, withoutCompletion(tenant), true)
    const { advancingTo, movedBy: mover } = await store.findMove(sql, storefrontId)
    if (movedBy !== null && mover === movedBy) return null
    if (advancingTo) throw new Refusal('clock_busy')
    await beginAdvance(sql, storefrontId, { now, target: targetOf(now, move), movedBy, first: beforeAdvance })
    return claimAdvance(sql, storefrontId)
  }, holdTimeouts)
}

function targetOf(now: Date, { by, to }: { by?: Duration | undefined; to?: Date | undefined }): Date {
  const target = to ?? (by ? addDuration(now, by) : null)
  const problem = targetProblem(now, target)
  if (problem !== null || !target) throw invalid(to ? 'to' : 'by', problem ?? pastTheEnd)
  return target
}

const pastTheEnd = `The clock cannot be moved past ${toWire(endOfTime)}.`

/** A null `target` is a time that the clock cannot show. */
function targetProblem(now: Date, target: Date | null): string | null {
  if (!target) return pastTheEnd
  return target < now ? `The clock is never moved back: it shows ${toWire(now)}.` : null
}

export { fastForward, validateFastForward } from './fast-forward.ts'
export { setPaymentBehavior, validatePaymentBehavior } from './mandates.ts'
export { simulate, validateSimulation } from './simulate.ts'
