import { writeOffOutstanding } from './ending.ts'
import { cancel } from './operations.ts'
import { setTimer } from './passing-time.ts'
import { unpaidFrom } from './periods.ts'
import type { Chargeback } from './reversal.ts'
import { giveUpUnpaidPeriod, keepsPaidTime } from './undo.ts'
import { recordEvent, type Subscription, type World } from './world.ts'

/** The reason of the cancellation, by the reason of the dispute. Disputes with other reasons do not change the subscription. */
const cancellationReasons: Readonly<Record<string, 'payment_failure' | 'customer_request'>> = {
  fraud: 'payment_failure',
  subscription_canceled: 'customer_request',
}

const isOngoing = ({ status }: Subscription): boolean => status !== 'created' && status !== 'canceled'

/**
 * A received dispute removes the payment methods, and cancels the subscriptions of the order at the end of their paid
 * time. If no paid time is left, the subscriptions end immediately. A lost or accepted dispute ends these subscriptions
 * immediately, unless the merchant resumed them.
 */
export function endDisputed(world: World, chargeback: Chargeback, { isReceived }: { isReceived: boolean }): void {
  const reason = cancellationReasons[chargeback.reason]
  if (!reason) return
  const { order, receivedAt } = chargeback
  const own = world.subscriptions.filter((each) => order.subscriptions.includes(each))
  const isEnding = ({ canceledAt }: Subscription) => isReceived || (canceledAt !== null && canceledAt <= receivedAt)
  const ending = own.filter((each) => isOngoing(each) && isEnding(each))
  if (isReceived) takeMandates(world, chargeback, { own, ending })
  for (const subscription of ending) {
    writeOffOutstanding(world, subscription)
    const unpaid = unpaidFrom(subscription)
    const isWrittenOff = unpaid !== null && !isBeingCharged(subscription)
    const isUnpaid = isWrittenOff && unpaid <= world.now
    if (isWrittenOff && !isUnpaid && isReceived) {
      if (subscription.status === 'on_grace_period') keepsPaidTime(world, subscription)
      else giveUpUnpaidPeriod(world, subscription)
    }
    cancel(world, subscription, { immediately: !isReceived || isUnpaid, reason })
  }
}

const isBeingCharged = ({ orders }: Subscription): boolean =>
  orders.some(({ isSale, status, attempt }) => !isSale && status === 'pending' && attempt !== null)

/** Removes the mandates. Other subscriptions on the same mandates continue, and their customers are asked for another method. */
function takeMandates(
  world: World,
  { order }: Chargeback,
  { own, ending }: { own: readonly Subscription[]; ending: readonly Subscription[] },
): void {
  const mandates = [order.paidWith, ...own.map(({ mandate }) => mandate)].filter((mandate) => mandate !== null)
  const sharing = world.subscriptions.filter(
    (each) => !own.includes(each) && each.mandate !== null && mandates.includes(each.mandate),
  )
  for (const each of [...own, ...sharing]) {
    if (each.mandate === null || !isOngoing(each)) continue
    each.mandate = null
    if (ending.includes(each) && each.status !== 'on_grace_period') continue
    recordEvent(each, 'subscription.billing_updated')
    setTimer(world, each)
  }
}
