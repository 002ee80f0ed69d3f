import type { Billhook, TestClockAdvance } from '@billhook/sdk'
import { CommandFailure, wrongUsage } from './failure.ts'
import { pause } from './pause.ts'

const isoDuration =
  /^P(?!$)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?!$)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/
const typedDuration = /^(\d{1,9})([smhdw])$/
const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const

/**
 * Adds an ISO 8601 duration, such as `P1M` or `PT25H`, or a short duration, such as `30d`. Like the service, the function
 * computes in UTC. If the target month lacks the day, the result is the last day of that month.
 */
export function momentAfter(start: Date, text: string): Date {
  const [, digits, letter] = typedDuration.exec(text) ?? []
  if (digits !== undefined) return later(start, Number(digits) * unitSeconds[letter as keyof typeof unitSeconds])
  const parts = isoDuration.exec(text.toUpperCase())
  if (!parts) throw wrongUsage(`"${text}" is not a duration.`, 'Use a duration such as P1M, P1Y, PT25H, 30d, or 12h')
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0))
  return later(
    monthsLater(start, years * 12 + months),
    (weeks * 7 + days) * 86_400 + hours * 3_600 + minutes * 60 + seconds,
  )
}

function later(start: Date, seconds: number): Date {
  const moment = new Date(start.getTime() + seconds * 1000)
  if (Number.isNaN(moment.getTime()) || moment.getUTCFullYear() > 2999)
    throw wrongUsage('The clock cannot be moved past the end of 2999.')
  return moment
}

function monthsLater(start: Date, months: number): Date {
  const day = start.getUTCDate()
  const moment = new Date(start)
  moment.setUTCDate(1)
  moment.setUTCMonth(moment.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate()
  moment.setUTCDate(Math.min(day, lastDay))
  return moment
}

const wire = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`

/** A date without a time means the start of the day in UTC. */
export function momentOf(text: string): Date {
  const moment = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (Number.isNaN(moment.getTime()))
    throw wrongUsage(`"${text}" is not a time.`, 'Use a time such as 2027-01-31 or 2027-01-31T09:00:00Z')
  return moment
}

interface Advance {
  readonly signal: AbortSignal
  /** `share` is the completed part of the advance, from 0 to 1. `now` is the time of the test clock. */
  onProgress(share: number, now: string): void
  readonly pollMs?: number
}

/** Advances the test clock. Resolves when all due tasks have run. */
export async function advance(
  billhook: Billhook,
  targetOf: (now: Date) => Date,
  { signal, onProgress, pollMs = 500 }: Advance,
): Promise<TestClockAdvance> {
  const start = new Date((await billhook.getTestClock({ signal })).now)
  const target = targetOf(start)
  let isDone = false
  const asked = billhook.advanceTestClock({ to: wire(target) }, { signal, timeoutMs: 60_000 }).finally(() => {
    isDone = true
  })
  const look = async () => {
    const { now } = await billhook.getTestClock({ signal })
    const span = target.getTime() - start.getTime()
    onProgress(span <= 0 ? 1 : Math.min(1, (new Date(now).getTime() - start.getTime()) / span), now)
    return new Date(now)
  }
  const watch = async () => {
    while (!isDone && !signal.aborted) {
      await pause(pollMs, signal)
      if (!isDone) await look().catch(() => undefined)
    }
  }
  const [first] = await Promise.all([asked, watch()])
  if (first.remaining === 0) return first
  // The remaining tasks run in the background. Until these tasks are done, the test clock shows the target time;
  // afterward, it shows a later time.
  while ((await look()) <= target) {
    if (signal.aborted) throw interrupted()
    await pause(pollMs, signal)
  }
  const last = await billhook.advanceTestClock({ by: 'PT1S' }, { signal, timeoutMs: 60_000 })
  return { ...last, ran: first.ran + first.remaining }
}

const interrupted = () => new CommandFailure('The command was stopped.', { code: 'interrupted' })
