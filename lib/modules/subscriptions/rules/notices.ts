import { nextRenewalAt, type Subscription } from './subscription.ts'

export const noticeKinds = ['trial_ending', 'renewal_notice'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** How long before the charge an email says that it is coming. */
const noticeDays = { trial_ending: [7, 1], renewal_notice: [30] } as const satisfies Record<
  NoticeKind,
  readonly number[]
>

const dayMs = 86_400_000

/** An email about the next charge, so many days before it. */
export interface Notice {
  readonly kind: NoticeKind
  readonly days: number
  readonly at: Date
}

/**
 * The emails that are to come before the next charge: before the end of a trial, and before each renewal of a
 * subscription that renews once a year or less often. Those with a moment that has passed are left out, and the first
 * one before a trial's end too if the trial is so short that it would follow the purchase at once.
 */
export function noticesBefore(
  subscription: Pick<Subscription, 'status' | 'renewedUntil' | 'cycle'>,
  now: Date,
): Notice[] {
  const due = nextRenewalAt(subscription)
  const kind = noticeKindOf(subscription)
  if (!due || !kind) return []
  const isShort = kind === 'trial_ending' && due.getTime() - now.getTime() <= (noticeDays[kind][0] + 1) * dayMs
  return noticeDays[kind].flatMap((days, index) => {
    const at = new Date(due.getTime() - days * dayMs)
    return at > now && !(isShort && index === 0) ? [{ kind, days, at }] : []
  })
}

/** Which email there is before the next charge; null if there is none. */
export function noticeKindOf({ status, cycle }: Pick<Subscription, 'status' | 'cycle'>): NoticeKind | null {
  if (status === 'trial') return 'trial_ending'
  return status === 'active' && lastsAYear(cycle) ? 'renewal_notice' : null
}

function lastsAYear({ interval, intervalCount }: Subscription['cycle']): boolean {
  const leastCount = { day: 365, week: 53, month: 12, year: 1 }
  return intervalCount >= leastCount[interval]
}
