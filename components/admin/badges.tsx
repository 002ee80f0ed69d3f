import { Badge, type Tone } from '@/components/ui/badge.tsx'
import type { AdminOrderRow } from '@/lib/modules/orders/page.ts'
import type { AdminSubscription } from '@/lib/modules/subscriptions/page.ts'
import { dayText } from './dates.ts'
import { type AdminKey, adminText as t } from './text.ts'

const orderTones: Readonly<Record<AdminOrderRow['state'], Tone>> = {
  created: 'neutral',
  pending: 'info',
  past_due: 'warning',
  paid: 'success',
  partially_refunded: 'neutral',
  refunded: 'neutral',
  disputed: 'danger',
  canceled: 'neutral',
  expired: 'neutral',
  credit_note: 'neutral',
  replacement: 'neutral',
}

export function OrderBadge({
  order: { state, paymentFailure },
}: {
  order: Pick<AdminOrderRow, 'state' | 'paymentFailure'>
}) {
  const retryAt = state === 'past_due' ? paymentFailure?.nextAttemptAt : null
  return (
    <Badge tone={orderTones[state]}>
      {retryAt ? t('badges.retry', { date: dayText(retryAt) }) : t(`badges.orders.${state}`)}
    </Badge>
  )
}

export function SubscriptionBadge({ subscription }: { subscription: AdminSubscription }) {
  const { tone, key, at } = stateOf(subscription)
  return (
    <Badge tone={tone}>{at ? t(`badges.until.${key}`, { date: dayText(at) }) : t(`badges.subscriptions.${key}`)}</Badge>
  )
}

type SubscriptionState = 'created' | 'active' | 'trial' | 'past_due' | 'cancels' | 'paused' | 'ended'
interface Shown {
  readonly tone: Tone
  readonly key: SubscriptionState
  readonly at: string | null
}

const ofStatus: Readonly<Record<AdminSubscription['status'], (subscription: AdminSubscription) => Shown>> = {
  created: () => ({ tone: 'neutral', key: 'created', at: null }),
  active: () => ({ tone: 'success', key: 'active', at: null }),
  trial: ({ trialUntil }) => ({ tone: 'info', key: 'trial', at: trialUntil }),
  on_grace_period: ({ renewedUntil }) => ({ tone: 'warning', key: 'cancels', at: renewedUntil }),
  paused: () => ({ tone: 'neutral', key: 'paused', at: null }),
  canceled: ({ endedAt }) => ({ tone: 'neutral', key: 'ended', at: endedAt }),
}

const stateOf = (subscription: AdminSubscription): Shown => {
  const { recovery, status } = subscription
  if (recovery && status !== 'canceled') return { tone: 'warning', key: 'past_due', at: recovery.nextAttemptAt }
  return ofStatus[status](subscription)
}

const tones: Readonly<Record<string, Tone>> = {
  paid: 'success',
  active: 'success',
  delivered: 'success',
  sent: 'success',
  refunded: 'success',
  won: 'success',
  pending: 'info',
  processing: 'info',
  queued: 'info',
  evidence_submitted: 'info',
  failed: 'danger',
  bounced: 'danger',
  complained: 'danger',
  refused: 'danger',
  rejected: 'danger',
  lost: 'danger',
  requires_amount_review: 'warning',
  suppressed: 'warning',
  unsupported: 'warning',
  unreadable: 'danger',
  stopped: 'warning',
}

export const StatusBadge = ({ status, text }: { status: string; text?: string }) => (
  <Badge tone={tones[status] ?? 'neutral'}>{text ?? t(`statuses.${status}` as AdminKey)}</Badge>
)
