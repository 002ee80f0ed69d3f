import { describe, expect, it } from 'vitest'
import { aBetterPlan, aChange, aChangeNow, aSubscription, euros, inEachState } from '../examples.ts'
import type { BillingLine } from './bill.ts'
import { change } from './change.ts'
import type { Change } from './change-request.ts'
import { renew } from './renew.ts'
import { nextRenewalAt, type Subscription } from './subscription.ts'

const at = (text: string) => new Date(text.length === 10 ? `${text}T00:00:00Z` : text)
const now = at('2025-06-16')
const yearly = aBetterPlan({ price: euros(100_000n), billingInterval: { interval: 'year', intervalCount: 1 } })
const invoiced = (differences: Partial<Change>) => aChangeNow({ invoiceImmediately: true, ...differences })

const refused = (field: string) =>
  expect.objectContaining({ code: 'validation_failed', status: 422, on: { [field]: [expect.any(String)] } })

const notChangeable = expect.objectContaining({ code: 'subscription_not_changeable', status: 422 })
const updated = ['subscription.updated']

const amounts = (lines: readonly BillingLine[]) =>
  lines.map((line) => (line.kind === 'period' ? line.unitPrice * BigInt(line.quantity) : line.amount))

const parked = [
  { kind: 'remaining', name: 'Basic', quantity: 1, from: at('2025-06-10'), until: at('2025-07-01'), amount: 700n },
] as const

function renewal(subscription: Subscription) {
  const due = nextRenewalAt(subscription)
  if (!due) throw new Error('nothing is due')
  const { next, lines } = renew(subscription, { due, now: due })
  return { until: next.renewedUntil, amounts: amounts(lines) }
}

describe('a change of the trial', () => {
  const trialUntil = at('2025-07-15T09:00:00Z')

  it('a change that adds a trial starts the trial immediately, and the end of the trial becomes the anchor and the time of the next charge', () => {
    const before = aSubscription()
    const { next, events, lines, period } = change(before, aChangeNow({ quantity: 1, trialUntil }), now)
    expect(next).toEqual({
      ...before,
      status: 'trial',
      trialUntil,
      anchorAt: trialUntil,
      cycleNumber: -1,
      renewedUntil: trialUntil,
    })
    expect({ events, lines, period }).toEqual({ events: updated, lines: [], period: null })
    expect(renewal(next)).toEqual({ until: at('2025-08-15T09:00:00Z'), amounts: [10_000n] })
  })

  it('a trial begins immediately even if other changes of the request wait for the end of the trial', () => {
    const { next, events } = change(aSubscription(), aChange({ quantity: 2, trialUntil }), now)
    expect(events).toEqual(['subscription.updated', 'subscription.update_scheduled'])
    expect(next).toMatchObject({ status: 'trial', quantity: 1, scheduledUpdate: { quantity: 2 } })
    expect(renewal(next).amounts).toEqual([20_000n])
  })

  it('deferred proration lines wait for the renewal at the end of a new trial', () => {
    const { next } = change(aSubscription({ parked }), aChangeNow({ quantity: 1, trialUntil }), now)
    expect(renewal(next).amounts).toEqual([10_000n, 700n])
  })

  it.each([
    ['extended', '2025-08-01'],
    ['shortened', '2025-06-20'],
  ])('a trial in progress is %s without a charge', (_, end) => {
    const { next, events, lines } = change(inEachState.trial, aChangeNow({ quantity: 1, trialUntil: at(end) }), now)
    expect(next).toMatchObject({ status: 'trial', trialUntil: at(end), anchorAt: at(end), renewedUntil: at(end) })
    expect({ events, lines }).toEqual({ events: updated, lines: [] })
  })

  it.each([
    ['in the past', '2025-06-15T23:59:59Z'],
    ['now', '2025-06-16T00:00:00Z'],
    ['before the end of the paid period', '2025-06-30T23:59:59Z'],
  ])('the end of a trial is refused if it is %s', (_, end) => {
    for (const request of [aChange(), aChangeNow()])
      expect(() => change(aSubscription(), { ...request, quantity: 1, trialUntil: at(end) }, now)).toThrow(
        refused('trialUntil'),
      )
  })

  it('a trial cannot end now if no paid period preceded the trial', () => {
    const request = aChangeNow({ quantity: 1, trialUntil: now })
    expect(() => change(inEachState.trial, request, now)).toThrow(refused('trialUntil'))
  })

  it('a change can add a trial that ends exactly at the end of the paid period', () => {
    const { next } = change(aSubscription(), aChangeNow({ quantity: 1, trialUntil: at('2025-07-01') }), now)
    expect(next).toMatchObject({ status: 'trial', renewedUntil: at('2025-07-01') })
  })

  it.each([
    ['another plan', { plan: aBetterPlan() }],
    ['another interval', { plan: yearly }],
    ['a lower price', { price: euros(1n) }],
    ['more seats', { quantity: 5 }],
  ])('an immediate change to %s during a trial costs nothing', (_, asked) => {
    const extended = { ...asked, trialUntil: at('2025-08-01') }
    for (const invoice of [aChangeNow(asked), invoiced(asked), invoiced(extended)]) {
      const { next, events, lines, period } = change(inEachState.trial, invoice, now)
      expect({ events, lines, period, parked: next.parked }).toEqual({
        events: updated,
        lines: [],
        period: null,
        parked: [],
      })
      expect(next.status).toBe('trial')
      const { plan } = invoice
      if (plan) expect(next).toMatchObject(plan)
    }
    const { next } = change(aSubscription(), invoiced({ ...asked, trialUntil }), now)
    expect(next).toMatchObject({ status: 'trial', parked: [] })
  })

  it('after a change of the interval in a trial, the new interval is charged at the end of the trial', () => {
    const { next } = change(inEachState.trial, aChangeNow({ plan: yearly }), now)
    expect(renewal(next)).toEqual({ until: at('2026-07-15'), amounts: [100_000n] })
  })

  it('during a trial, an anchor date is accepted only for the renewal, and a reset of the anchor is always refused', () => {
    const anchor = at('2025-07-01')
    expect(() => change(inEachState.trial, aChangeNow({ quantity: 2, anchor }), now)).toThrow(refused('anchor'))
    for (const request of [
      aChange({ quantity: 2, resetAnchor: true }),
      aChangeNow({ quantity: 2, resetAnchor: true }),
    ]) {
      expect(() => change(inEachState.trial, request, now)).toThrow(refused('resetAnchor'))
      expect(() => change(aSubscription(), { ...request, trialUntil }, now)).toThrow(refused('resetAnchor'))
    }
    expect(change(inEachState.trial, aChange({ quantity: 2, anchor }), now).next.scheduledUpdate?.anchor).toEqual(
      anchor,
    )
  })
})

describe('an immediate change in a grace period', () => {
  const grace = inEachState.on_grace_period

  it('an immediate change of plan, price, and quantity in a grace period applies to the remaining time', () => {
    const { next, events, lines } = change(grace, invoiced({ plan: aBetterPlan(), quantity: 2 }), now)
    expect(amounts(lines)).toEqual([-5_000n, 30_000n])
    expect(events).toEqual(updated)
    const { canceledAt, cancellationReason, renewedUntil } = grace
    expect(next).toMatchObject({ status: 'on_grace_period', canceledAt, cancellationReason, renewedUntil, quantity: 2 })
  })

  it.each([
    ['an effect at the renewal', aChange({ quantity: 2 }), 'applyImmediately'],
    ['an anchor', aChangeNow({ quantity: 2, anchor: at('2025-06-21') }), 'anchor'],
    ['a reset anchor', aChangeNow({ quantity: 2, resetAnchor: true }), 'resetAnchor'],
    ['a trial', aChangeNow({ quantity: 2, trialUntil: at('2025-08-01') }), 'trialUntil'],
    ['another interval', aChangeNow({ plan: yearly }), 'subscriptionPlanId'],
    [
      'another count of the same interval',
      aChangeNow({ plan: aBetterPlan({ billingInterval: { interval: 'month', intervalCount: 3 } }) }),
      'subscriptionPlanId',
    ],
    ['a lower price for the remaining time', aChangeNow({ price: euros(1n) }), 'applyImmediately'],
  ])('a change with %s is refused in a grace period', (_, request, field) => {
    expect(() => change(grace, request, now)).toThrow(refused(field))
  })

  it('a change in the grace period of a trial costs nothing', () => {
    const { trialUntil, anchorAt, renewedUntil, cycleNumber } = inEachState.trial
    const canceled = { ...grace, trialUntil, anchorAt, renewedUntil, cycleNumber, period: null }
    const { next, lines } = change(canceled, invoiced({ plan: aBetterPlan() }), now)
    expect({ lines, parked: next.parked, name: next.name }).toEqual({ lines: [], parked: [], name: 'Pro' })
  })

  it('a subscription cannot be changed after its grace period has ended', () => {
    expect(() => change(grace, aChangeNow({ quantity: 2 }), at('2025-07-01'))).toThrow(notChangeable)
  })
})

describe('an immediate change in a pause', () => {
  it('a change of a paused subscription waits for the next renewal', () => {
    const { next, events } = change(inEachState.paused, aChange({ quantity: 2 }), now)
    expect(next).toMatchObject({ status: 'paused', quantity: 1, scheduledUpdate: { quantity: 2 } })
    expect(events).toEqual(['subscription.update_scheduled'])
  })

  it.each([
    ['immediate effect', aChangeNow({ quantity: 2 }), 'applyImmediately'],
    ['a trial', aChange({ quantity: 2, trialUntil: at('2025-08-01') }), 'trialUntil'],
  ])('in a pause, a change with %s is refused', (_, request, field) => {
    expect(() => change(inEachState.paused, request, now)).toThrow(refused(field))
  })
})
