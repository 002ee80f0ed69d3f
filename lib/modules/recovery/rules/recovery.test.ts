import { describe, expect, it } from 'vitest'
import type { FailureReason } from '../../payments/rules/failure.ts'
import {
  attempted,
  attemptFailed,
  attemptsOf,
  chargedAgainAt,
  endsAt,
  finish,
  isChargeDue,
  mayHoldBack,
  nextStep,
  open,
  type Recovery,
  recoveryStates,
  retryBlock,
  stepDone,
} from './recovery.ts'

const begin = new Date('2025-06-01T08:00:00Z')
const on = (days: number) => new Date(begin.getTime() + days * 86_400_000)
const failed = (reason: FailureReason = 'insufficient_funds', differences: Partial<Recovery> = {}): Recovery => ({
  ...open({
    id: 'recovery_1',
    subscriptionId: 'subscription_1',
    orderId: 'order_1',
    collects: 'renewal',
    reason,
    simulated: false,
    now: begin,
  }),
  ...differences,
})

describe('a recovery', () => {
  it('the first step of a new recovery is due immediately', () => {
    expect(failed('card_expired')).toEqual({
      id: 'recovery_1',
      subscriptionId: 'subscription_1',
      orderId: 'order_1',
      collects: 'renewal',
      kind: 'hard',
      failureReason: 'card_expired',
      lastFailure: { reason: 'card_expired', at: begin },
      simulated: false,
      stepsDone: 0,
      nextStepAt: begin,
      status: 'open',
      startedAt: begin,
      finishedAt: null,
    })
    expect(nextStep(failed())).toEqual({ daysAfterPreviousStep: 0, does: 'email' })
  })

  it('after a soft decline, the order is charged on days 2, 7, 14, and 21, and then written off', () => {
    let recovery = stepDone(failed(), begin)
    for (const day of [2, 7, 14, 21]) {
      expect({ at: recovery.nextStepAt, does: nextStep(recovery)?.does }).toEqual({ at: on(day), does: 'charge' })
      const trying = attempted(recovery)
      expect(trying).toMatchObject({ nextStepAt: null, stepsDone: recovery.stepsDone + 1, status: 'open' })
      const after = attemptFailed(trying, 'insufficient_funds', on(day))
      if (day === 21) expect([after, nextStep(trying)]).toEqual([null, null])
      else recovery = after ?? failed()
    }
  })

  it('if the failure of an attempt is reported late, the next attempt is scheduled from the time of the report', () => {
    const trying = attempted(stepDone(failed(), begin))
    expect(attemptFailed(trying, 'insufficient_funds', on(5))).toEqual({
      ...trying,
      nextStepAt: on(10),
      lastFailure: { reason: 'insufficient_funds', at: on(5) },
    })
  })

  it('after a hard decline, emails are sent on days 0, 3, and 6, and the order is written off on day 7 without another charge', () => {
    let recovery = failed('mandate_canceled')
    const steps: unknown[] = []
    for (const day of [0, 3, 6]) {
      steps.push([recovery.nextStepAt, nextStep(recovery)?.does])
      recovery = stepDone(recovery, on(day))
    }
    steps.push([recovery.nextStepAt, nextStep(recovery)?.does])
    expect(steps).toEqual([
      [on(0), 'email'],
      [on(3), 'email'],
      [on(6), 'email'],
      [on(7), 'exhaust'],
    ])
  })

  it('a recovery states the time of the next charge only if the next step is a charge', () => {
    const soft = stepDone(failed(), begin)
    expect([chargedAgainAt(failed()), chargedAgainAt(soft), chargedAgainAt(attempted(soft))]).toEqual([
      null,
      on(2),
      null,
    ])
    expect(chargedAgainAt(failed('account_closed'))).toBeNull()
    expect(chargedAgainAt(stepDone(failed('account_closed'), begin))).toBeNull()
  })

  it('a failed charge on a new payment method between two steps of a recovery does not change the schedule', () => {
    for (const reason of ['insufficient_funds', 'account_closed'] as const) {
      const waiting = stepDone(failed(reason), begin)
      expect(attemptFailed(waiting, reason, on(1))).toEqual({ ...waiting, lastFailure: { reason, at: on(1) } })
    }
  })

  it('a hard decline during a recovery stops the charges and starts the schedule of emails', () => {
    const trying = attempted(stepDone(failed(), begin))
    const harder = attemptFailed(trying, 'card_expired', on(2))
    expect(harder).toEqual({
      ...trying,
      kind: 'hard',
      failureReason: 'card_expired',
      lastFailure: { reason: 'card_expired', at: on(2) },
      stepsDone: 0,
      nextStepAt: on(2),
    })
    expect(harder && nextStep(harder)?.does).toBe('email')
    const lastFailure = { reason: 'insufficient_funds', at: on(3) }
    expect(harder && attemptFailed(harder, 'insufficient_funds', on(3))).toEqual({ ...harder, lastFailure })
  })

  it('a recovery has no next step while the outcome of an attempt is unknown', () => {
    const trying = attempted(stepDone(failed(), begin))
    expect([trying.nextStepAt, endsAt(trying)]).toEqual([null, null])
  })

  it('a recovery states the time of the write-off if no payment succeeds', () => {
    const soft = stepDone(failed(), begin)
    expect([endsAt(failed()), endsAt(soft)]).toEqual([on(21), on(21)])
    expect(endsAt(attemptFailed(attempted(soft), 'insufficient_funds', on(2)) ?? failed())).toEqual(on(21))
    let hard = failed('fraud_suspected')
    for (const day of [0, 3, 6]) {
      expect(endsAt(hard)).toEqual(on(7))
      hard = stepDone(hard, on(day))
    }
    expect(endsAt(hard)).toEqual(on(7))
  })

  it('a recovery delays renewals until its write-off day, or without a time limit while a charge is in progress', () => {
    const soft = stepDone(failed(), begin)
    expect([on(7), on(21), on(22)].map((due) => mayHoldBack(soft, due))).toEqual([true, true, false])
    expect(mayHoldBack(attempted(soft), on(300))).toBe(true)
  })

  it('a recovery records that a test helper started it', () => {
    const simulated = open({
      id: '1',
      subscriptionId: '2',
      orderId: '3',
      collects: 'renewal',
      reason: 'general_failure',
      simulated: true,
      now: begin,
    })
    expect(attempted(stepDone(simulated, begin)).simulated).toBe(true)
  })
})

describe('the attempts of a recovery', () => {
  it.each([
    ['soft', 0, 1, 5],
    ['soft', 1, 1, 5],
    ['soft', 3, 3, 5],
    ['soft', 5, 5, 5],
    ['hard', 3, 1, 1],
  ] as const)(
    'a recovery from a %s decline after %i steps has made %i of %i attempts',
    (kind, stepsDone, made, most) => {
      expect(attemptsOf({ kind, stepsDone })).toEqual({ made, most })
    },
  )
})

describe('the end of a recovery', () => {
  it.each([
    ['recover', 'recovered'],
    ['exhaust', 'exhausted'],
    ['end', 'ended'],
  ] as const)('after the trigger %s, a recovery has the final status %s and no next step', (how, status) => {
    const recovery = stepDone(failed(), begin)
    const over = finish(recovery, how, on(1))
    expect(over).toEqual({ ...recovery, status, nextStepAt: null, finishedAt: on(1) })
    for (const again of ['recover', 'exhaust', 'end'] as const)
      expect(() => finish(over, again, on(2))).toThrow(`no transition '${again}' from '${status}'`)
  })

  it('a recovery can end before its last attempt has an outcome', () => {
    expect(finish(attempted(failed()), 'recover', on(3))).toMatchObject({ status: 'recovered', finishedAt: on(3) })
  })

  it('the final statuses of a recovery are recovered, exhausted, and ended', () => {
    expect(recoveryStates.states.filter((state) => recoveryStates.isFinal(state))).toEqual([
      'recovered',
      'exhausted',
      'ended',
    ])
  })
})

describe('a retry by a merchant', () => {
  const valid = { method: 'creditcard', status: 'valid' } as const
  it.each([
    ['a temporarily declined card can be charged', failed(), valid, false, null],
    ['an attempt without an outcome prevents the retry', failed(), valid, true, 'attempt_open'],
    [
      'a purchase can be paid only by its buyer',
      failed('insufficient_funds', { subscriptionId: null }),
      null,
      false,
      'buyer_pays',
    ],
    ['a missing payment method prevents the retry', failed(), null, false, 'method_needed'],
    [
      'a payment method that is not active yet prevents the retry',
      failed(),
      { ...valid, status: 'pending' },
      false,
      'method_needed',
    ],
    ['a permanently declined card prevents the retry', failed('card_expired'), valid, false, 'method_needed'],
    [
      'a temporarily declined new card can be charged after a permanently declined old card',
      failed('card_expired', { lastFailure: { reason: 'insufficient_funds', at: begin } }),
      valid,
      false,
      null,
    ],
    [
      'a direct debit cannot be retried before its announced day',
      failed(),
      { ...valid, method: 'sepa_debit' },
      false,
      'debit_announced',
    ],
  ] as const)(
    'a merchant can retry a declined charge unless an obstacle exists: %s',
    (_, recovery, mandate, hasOpenAttempt, block) => {
      expect(retryBlock(recovery, mandate, hasOpenAttempt)).toBe(block)
    },
  )

  it('isChargeDue() returns true only if the next step of a recovery is a due charge and no attempt is in progress', () => {
    const waiting = stepDone(failed(), begin)
    expect([isChargeDue(waiting, on(1)), isChargeDue(waiting, on(2))]).toEqual([false, true])
    expect(isChargeDue(attempted(waiting), on(3))).toBe(false)
    expect(isChargeDue(stepDone(failed('card_expired'), begin), on(3))).toBe(false)
  })
})
