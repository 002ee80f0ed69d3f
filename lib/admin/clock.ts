import { durationText, parseTypedDuration } from '../kernel/calendar.ts'
import { toWire } from '../kernel/moment.ts'
import { ruleProblem } from '../kernel/rule-problem.ts'
import * as contract from '../modules/test-helpers/contract.ts'
import type { ClockPage } from '../modules/test-helpers/page.ts'
import { advancingTo, now as clockNow } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import type { TaskRunner } from '../platform/jobs/task-runner.ts'
import { advanceByDuration, validateAdvance } from '../workflows/test-helpers/operations.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { act, newFormKey } from './act.ts'
import { problemText, problemTexts } from './problem-texts.ts'

/**
 * The time limit of a form for advancing the test clock, in milliseconds. A longer advance continues in the background.
 */
const waitMs = 10_000
const invalidDuration = ruleProblem('duration', { hours: 25 })

/** The test clock of a storefront, or null in live mode. `by` is the entered duration of a refused form. */
export async function clockPage(
  place: StorefrontPath,
  by: string | null,
  cookies: string | null,
): Promise<ClockPage | null> {
  const access = await accessTo(place, 'clock', cookies)
  if (!access?.tenant.testmode) return null
  const target = await advancingTo(db(), access.tenant)
  const page = {
    now: toWire(await clockNow(db(), access.tenant)),
    advancingTo: target && toWire(target),
    by: by ?? '',
    formKey: newFormKey(),
  }
  if (by === null) return { ...page, problem: null }
  const duration = parseTypedDuration(by)
  if (!duration) return { ...page, problem: problemText(invalidDuration, access.language) }
  const { by: problem = null } = problemTexts(await validateAdvance(access.tenant, { by: duration }), access.language)
  return { ...page, problem }
}

export async function submitClock(
  place: StorefrontPath,
  form: URLSearchParams,
  runner: TaskRunner,
  cookies: string | null,
): Promise<{ redirectTo: string } | null> {
  const access = await accessToForm(place, 'clock', null, cookies)
  if (!access?.tenant.testmode) return null
  const page = `${access.path}/clock`
  const by = (form.get('by') ?? '').trim().slice(0, 100)
  const refused = { redirectTo: `${page}?${new URLSearchParams({ by })}#problems` }
  const duration = parseTypedDuration(by)
  if (!duration) return refused
  let remaining = 0
  const refusal = await act(
    access,
    form,
    {
      endpoint: contract.advanceClock,
      params: {},
      body: { by: durationText(duration) },
      action: 'clock.advance',
      subject: access.storefront.id,
      after: ({ now }: { now: string }) => ({ now }),
    },
    async ({ context, body }) => {
      const result = await advanceByDuration(context, body, runner, waitMs)
      remaining = result.remaining
      return result
    },
  )
  if (!refusal) return { redirectTo: `${page}?done=${remaining > 0 ? 'advancing' : 'advanced'}` }
  if (refusal.code === 'validation_failed') return refused
  return { redirectTo: `${page}?${new URLSearchParams({ by, failed: refusal.code })}` }
}
