import type { z } from 'zod'
import { addDuration, type Duration, parseTypedDuration } from '../../kernel/calendar.ts'
import { endOfTime, toWire } from '../../kernel/moment.ts'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import { type RuleProblem, ruleProblem } from '../../kernel/rule-problem.ts'
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

/** The maximum number of orders in the field `waiting` of the response. */
const mostWaiting = 100

type Move = z.infer<typeof advanceEndpoint.body & object>

/** Refuses with `validation_failed` if the storefront is unknown. */
export async function showClock(storefrontId: string): Promise<{ now: string }> {
  await requireStorefront(db(), storefrontId)
  return { now: toWire(await clockNow(db(), { storefrontId, testmode: true })) }
}

/**
 * Advances the test clock, and runs due tasks in sequence, each at its own time. Returns when all tasks have run, or after 30 s with the number of
 * remaining tasks, which continue in the background. Refuses with `validation_failed` on a target in the past or after 2999, or with `clock_busy`
 * during an earlier advance.
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

/** The command line also accepts durations such as `25h` or `30d`. */
export async function advanceClock(storefrontId: string, by: string, runner: TaskRunner) {
  await showClock(storefrontId)
  const duration = parseTypedDuration(by)
  if (!duration) throw invalid('by', 'Must be a duration such as 25h, 30d or P1M.')
  return advanceByDuration({ storefrontId, testmode: true }, { by: duration }, runner)
}

/**
 * Ends the advance in progress. Returns after at most 30 s, with the number of remaining tasks. Refuses with
 * `validation_failed` if no advance is in progress.
 */
export async function stopClock(storefrontId: string, runner: TaskRunner) {
  await requireStorefront(db(), storefrontId)
  const tenant = { storefrontId, testmode: true }
  const isCut = await db().$transaction(async (sql) => {
    await holdClock(sql, tenant, true)
    return cutAdvance(sql, storefrontId)
  }, holdTimeouts)
  if (!isCut) throw invalid('storefront', 'No advance of the test clock is running.')
  const done = await runAdvance(storefrontId, runner, Date.now() + answerWithinMs, null)
  return wire(await clockNow(db(), tenant), done)
}

export async function validateAdvance(tenant: Tenant, move: WellFormed<Move>): Promise<FieldErrors> {
  const now = await clockNow(db(), tenant)
  const { by, to } = move
  const problems = { by: by && targetProblem(now, addDuration(now, by)), to: to && targetProblem(now, to) }
  return Object.fromEntries(Object.entries(problems).flatMap(([field, each]) => (each ? [[field, [each]]] : [])))
}

const wire = (now: Date, { ran, remaining }: AdvanceResult) => ({ now: toWire(now), ran, remaining })

/**
 * Starts an advance, and returns the id of this runner's claim. Returns null for a retry with the idempotency key of an
 * earlier request, because the advance of the earlier request continues. A client sends such a retry after a crash. A
 * request with the same key but different content is no retry.
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

const pastTheEnd = ruleProblem('clock_end', { end: endOfTime })

/** `target` is null if the requested time is later than the last time that the clock supports. */
function targetProblem(now: Date, target: Date | null): RuleProblem | null {
  if (!target) return pastTheEnd
  return target < now ? ruleProblem('clock_back', { now }) : null
}

export { fastForward, validateFastForward } from './fast-forward.ts'
export { setPaymentBehavior, validatePaymentBehavior } from './mandates.ts'
export { simulate, validateSimulation } from './simulate.ts'
