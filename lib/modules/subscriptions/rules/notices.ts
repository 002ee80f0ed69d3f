import { nextRenewalAt, type Subscription } from './subscription.ts'

export const noticeKinds = ['trial_ending', 'renewal_notice', 'debit_notice'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * Days before a charge at which an email announces it. A direct debit is announced two days before, as its mandate
 * states: an agreement may shorten the 14 days of the rulebook (EPC016-06, 4.3.4).
 */
const noticeDays = { trial_ending: [7, 1], renewal_notice: [30], debit_notice: [2] } as const satisfies Record<
  NoticeKind,
  readonly number[]
>

const dayMs = 86_400_000

/** An email about the next charge, with its days before the charge. */
export interface ChargeNotice {
  readonly kind: NoticeKind
  readonly days: number
  readonly at: Date
}

/**
 * The emails before the next charge: before the end of a trial, before each renewal of a subscription that renews at
 * most once a year, and before each direct debit. Emails whose time has passed are left out. The first email before a
 * trial's end is left out if the trial is so short that it would follow the purchase at once. The last one is left out
 * if a direct debit is announced a day earlier.
 */
export function noticesBefore(
  subscription: Pick<Subscription, 'status' | 'renewedUntil' | 'billingInterval' | 'mandate' | 'startedAt'>,
  now: Date,
): ChargeNotice[] {
  const due = nextRenewalAt(subscription)
  if (!due) return []
  const notices = noticeKindsOf(subscription).flatMap((kind) =>
    noticeDays[kind].map((days) => ({ kind, days, at: new Date(due.getTime() - days * dayMs) })),
  )
  const [first, last] = noticeDays.trial_ending
  const startedAt = subscription.startedAt ?? now
  const isShort = due.getTime() - startedAt.getTime() <= (first + 1) * dayMs
  const isAnnounced = notices.some(({ kind, at }) => kind === 'debit_notice' && at > now)
  const isLeftOut = ({ kind, days }: ChargeNotice) =>
    kind === 'trial_ending' && ((days === first && isShort) || (days === last && isAnnounced))
  return notices.filter((notice) => notice.at > now && !isLeftOut(notice))
}

/**
 * Whether the first email about the charge after a trial or a long period is still ahead. Until then, a change of the
 * next charge needs no email of its own.
 */
export const isNoticeAhead = (subscription: Parameters<typeof noticesBefore>[0], now: Date): boolean =>
  noticesBefore(subscription, now).some(({ kind, days }) => kind !== 'debit_notice' && days === noticeDays[kind][0])

/** Whether the next charge is a direct debit that is closer than its notice period. */
export function isPastDebitNotice(subscription: Pick<Subscription, 'status' | 'renewedUntil' | 'mandate'>, now: Date) {
  const due = nextRenewalAt(subscription)
  const [days] = noticeDays.debit_notice
  return due !== null && subscription.mandate?.method === 'sepa_debit' && due.getTime() - now.getTime() < days * dayMs
}

/** The emails before the next charge. */
export function noticeKindsOf({
  status,
  billingInterval,
  mandate,
}: Pick<Subscription, 'status' | 'billingInterval' | 'mandate'>): NoticeKind[] {
  if (status !== 'trial' && status !== 'active') return []
  return [
    ...(status === 'trial'
      ? (['trial_ending'] as const)
      : lastsAYear(billingInterval)
        ? (['renewal_notice'] as const)
        : []),
    ...(mandate?.method === 'sepa_debit' ? (['debit_notice'] as const) : []),
  ]
}

function lastsAYear({ interval, intervalCount }: Subscription['billingInterval']): boolean {
  const leastCount = { day: 365, week: 53, month: 12, year: 1 }
  return intervalCount >= leastCount[interval]
}
