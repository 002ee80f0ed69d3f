import { nextRenewalAt, type Subscription } from './subscription.ts'

export const noticeKinds = ['trial_ending', 'renewal_notice', 'debit_notice'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * For each kind of email, the numbers of days before the charge. The mandate shortens the notice of a direct debit from
 * 14 days (EPC016-06, 4.3.4) to two days.
 */
const noticeDays = { trial_ending: [7, 1], renewal_notice: [30], debit_notice: [2] } as const satisfies Record<
  NoticeKind,
  readonly number[]
>

const dayMs = 86_400_000

export interface ChargeNotice {
  readonly kind: NoticeKind
  readonly days: number
  readonly at: Date
}

/**
 * Returns the emails before the end of a trial, before each renewal after a year or more, and before each direct debit.
 * Excludes emails whose time has passed. A short trial has no email a week before its end, because this email would
 * directly follow the purchase. A trial has no email a day before its end if the direct debit is announced two days
 * before the end.
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
 * Whether the first email that announces the charge after a trial or a long period is still due. Until this email is sent, a change of the charge needs no
 * separate email.
 */
export const isNoticeAhead = (subscription: Parameters<typeof noticesBefore>[0], now: Date): boolean =>
  noticesBefore(subscription, now).some(({ kind, days }) => kind !== 'debit_notice' && days === noticeDays[kind][0])

export function isPastDebitNotice(subscription: Pick<Subscription, 'status' | 'renewedUntil' | 'mandate'>, now: Date) {
  const due = nextRenewalAt(subscription)
  const [days] = noticeDays.debit_notice
  return due !== null && subscription.mandate?.method === 'sepa_debit' && due.getTime() - now.getTime() < days * dayMs
}

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
