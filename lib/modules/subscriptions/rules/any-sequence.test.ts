import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toWire } from '../../../kernel/moment.ts'
import { divideHalfAwayFromZero, sum } from '../../../kernel/money.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { asked, changeOf, midnightAfter, plans } from '../../../testing/random-change.ts'
import { aChangeNow, aSubscription, euros, inEachState } from '../examples.ts'
import type { BillingLine } from './bill.ts'
import { cancel, cancelNow, lapse } from './cancel.ts'
import { change } from './change.ts'
import { pause, unpause } from './pause.ts'
import { renew } from './renew.ts'
import { resume } from './resume.ts'
import { start } from './start.ts'
import { nextRenewalAt, type Subscription } from './subscription.ts'

interface Done {
  readonly next: Subscription
  readonly lines: readonly BillingLine[]
}
type Step = (subscription: Subscription, now: Date) => Done | null
const free = (next: Subscription): Done => ({ next, lines: [] })

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: asked.map(
      (each): Step =>
        (before, now) =>
          change(before, changeOf(each, before, now), now),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (immediately): Step =>
        (before, now) => {
          const canceled = cancel(before, { immediately, reason: 'merchant_request', now })
          return canceled && free(canceled.next)
        },
    ),
  },
  { weight: 3, arbitrary: fc.constant<Step>((before, now) => free(resume(before, now))) },
  { weight: 1, arbitrary: fc.constant<Step>((before) => free(pause(before))) },
  { weight: 3, arbitrary: fc.constant<Step>((before, now) => unpause(before, now)) },
  // Simulates a fast-forward, which bills the next period before its start.
  { weight: 1, arbitrary: fc.constant<Step>((before, now) => renewNext(before, now)) },
)

function renewNext(before: Subscription, now: Date): Done | null {
  const due = nextRenewalAt(before)
  return due && renew(before, { due, now })
}

function whatIsDue(before: Subscription, now: Date): Done | null {
  if (!before.renewedUntil || before.renewedUntil > now) return null
  return before.status === 'on_grace_period' ? free(lapse(before, now)) : renewNext(before, now)
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(Object.freeze(value))) frozen(each)
  return value
}

const costOf = (line: BillingLine) => (line.kind === 'period' ? line.unitPrice * BigInt(line.quantity) : line.amount)

function expectSound({ next, lines }: Done): void {
  const { status, period, renewedUntil, trialUntil, anchorAt, parked, scheduledUpdate } = next
  const isOver = status === 'canceled'
  expect(next.endedAt !== null).toBe(isOver)
  expect(next.canceledAt !== null).toBe(isOver || status === 'on_grace_period')
  expect(next.cancellationReason !== null).toBe(next.canceledAt !== null)
  expect(status !== 'trial' || trialUntil !== null).toBe(true)
  expect(trialUntil === null || status === 'trial' || status === 'on_grace_period').toBe(true)
  if (trialUntil) expect({ renewedUntil, anchorAt }).toEqual({ renewedUntil: trialUntil, anchorAt: trialUntil })
  if (next.canceledAt) expect(scheduledUpdate).toBeNull()
  if (isOver) expect(parked).toEqual([])
  if (period) {
    expect(period.startAt < period.endAt).toBe(true)
    expect(period.seconds > 0n && period.paid >= 0n).toBe(true)
    if (trialUntil) expect(period.endAt <= trialUntil).toBe(true)
    else if (!isOver) expect(renewedUntil).toEqual(period.endAt)
  }
  expect(sum(parked.map((line) => line.amount)) >= 0n).toBe(true)
  expect(sum(lines.map(costOf)) >= 0n).toBe(true)
}

function mustBillOnce(before: Subscription, { next, lines }: Done): void {
  const stays = before.parked.every((line, index) => next.parked[index] === line)
  const isBilled =
    next.parked.length === 0 && before.parked.every((line) => lines.filter((each) => each === line).length === 1)
  const isWaived = next.parked.length === 0 && next.canceledAt !== null
  expect(stays || isBilled || isWaived).toBe(true)
  if (stays && before.parked.length > 0) for (const line of before.parked) expect(lines).not.toContain(line)
}

function attempt(what: () => Done | null): Done | null {
  try {
    return what()
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

const begin = new Date('2025-01-31T10:15:30Z')
const { mandate } = aSubscription()
const begun = fc
  .tuple(fc.constantFrom(...plans), fc.boolean())
  .map(([plan, inTrial]) =>
    start(
      { ...inEachState.created, ...plan },
      { now: begin, trialUntil: inTrial ? midnightAfter(begin, 20) : null, mandate },
    ),
  )
const pauseBefore = fc.integer({ min: 0, max: 50 * 86_400 })
const isLate = fc.boolean()

describe('any sequence of operations on a subscription', () => {
  it('every operation leaves a subscription in a valid state, and no operation changes its input', () => {
    let applied = 0
    fc.assert(
      fc.property(begun, fc.array(fc.tuple(pauseBefore, isLate, step), { maxLength: 25 }), (first, steps) => {
        let subscription = frozen(first)
        let now = begin
        const follow = (done: Done | null): boolean => {
          if (!done) return false
          expectSound(done)
          mustBillOnce(subscription, done)
          subscription = frozen(done.next)
          frozen(done.lines)
          return true
        }
        for (const [seconds, late, next] of steps) {
          now = new Date(now.getTime() + seconds * 1000)
          while (!late && follow(whatIsDue(subscription, now)));
          if (follow(attempt(() => next(subscription, now)))) applied++
        }
      }),
      { numRuns: 300 },
    )
    expect(applied).toBeGreaterThan(500)
  })

  it('no operation changes a subscription that never started or has ended', () => {
    fc.assert(
      fc.property(step, fc.constantFrom('created', 'canceled'), (next, status) => {
        const ended = inEachState[status as 'created' | 'canceled']
        const done = attempt(() => next(frozen(ended), begin))
        expect(done).toBeNull()
      }),
    )
    expect(() => cancelNow(inEachState.canceled, { reason: 'payment_failure', now: begin })).toThrow(Refusal)
  })
})

describe('a period with changes', () => {
  const june = new Date('2025-06-01T00:00:00Z')
  const changes = fc.array(
    fc.record({
      second: fc.integer({ min: 0, max: 30 * 86_400 - 1 }),
      price: fc.bigInt({ min: 0n, max: 99_999n }),
      quantity: fc.integer({ min: 1, max: 20 }),
      invoiceImmediately: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )

  it('the total billed for a period with n changes differs by at most n + 1 cents from the exact time-weighted price', () => {
    fc.assert(
      fc.property(changes, (unordered) => {
        let subscription = aSubscription({ anchorAt: june })
        let invoiced = 10_000n
        let seconds = 0
        let weighted = 0n
        let made = 0n
        for (const { second, price, ...rest } of unordered.toSorted((a, b) => a.second - b.second)) {
          const now = new Date(june.getTime() + second * 1000)
          const done = attempt(() => change(subscription, aChangeNow({ price: euros(price), ...rest }), now))
          if (!done) continue
          weighted += subscription.price.minor * BigInt(subscription.quantity) * BigInt(second - seconds)
          seconds = second
          invoiced += sum(done.lines.map(costOf))
          subscription = done.next
          made++
        }
        const length = 30 * 86_400
        weighted += subscription.price.minor * BigInt(subscription.quantity) * BigInt(length - seconds)
        const paid = invoiced + sum(subscription.parked.map((line) => line.amount))
        const difference = paid - divideHalfAwayFromZero(weighted, BigInt(length))
        expect(difference <= made + 1n && difference >= -made - 1n).toBe(true)
      }),
    )
  })

  it('the renewal after a period with changes bills the next period and all deferred proration lines', () => {
    fc.assert(
      fc.property(changes, (unordered) => {
        let subscription = aSubscription({ anchorAt: june })
        let waiting = 0n
        for (const { second, price, ...rest } of unordered.toSorted((a, b) => a.second - b.second)) {
          const now = new Date(june.getTime() + second * 1000)
          const done = attempt(() => change(subscription, aChangeNow({ price: euros(price), ...rest }), now))
          if (!done) continue
          const { period } = subscription
          const left = BigInt(30 * 86_400 - second)
          const partOf = (amount: bigint) => divideHalfAwayFromZero(amount * left, BigInt(30 * 86_400))
          const delta = partOf(price * BigInt(rest.quantity)) - partOf(period?.paid ?? 0n)
          if (rest.invoiceImmediately) expect(sum(done.lines.map(costOf))).toBe(delta)
          else waiting += delta
          subscription = done.next
        }
        const due = new Date('2025-07-01T00:00:00Z')
        const { next, lines } = renew(subscription, { due, now: due })
        const recurring = subscription.price.minor * BigInt(subscription.quantity)
        expect(sum(lines.map(costOf))).toBe(recurring + waiting)
        expect({ parked: next.parked, until: next.renewedUntil && toWire(next.renewedUntil) }).toEqual({
          parked: [],
          until: '2025-08-01T00:00:00Z',
        })
      }),
    )
  })
})
