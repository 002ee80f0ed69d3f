import { describe, expect, it } from 'vitest'
import { giveUp, start } from './start.ts'
import { type Mandate, nextRenewalAt, type Subscription } from './subscription.ts'

const now = new Date('2027-01-31T12:00:00Z')
const trialUntil = new Date('2027-02-14T12:00:00Z')
const mandate = { id: 'mandate_1', method: 'card', maskedIdentifier: '4242', status: 'valid' } as Mandate
const created = (cycle: Subscription['cycle'] = { interval: 'month', intervalCount: 1 }) =>
  ({
    status: 'created',
    cycle,
    mandate: null,
    anchorAt: null,
    startedAt: null,
    endedAt: null,
    renewedAt: null,
  }) as Subscription
const illegal = expect.objectContaining({ code: 'illegal_move' })

describe('a subscription', () => {
  it.each([
    ['day', 1, '2027-02-01T12:00:00Z'],
    ['week', 2, '2027-02-14T12:00:00Z'],
    ['month', 1, '2027-02-28T12:00:00Z'],
    ['year', 1, '2028-01-31T12:00:00Z'],
  ] as const)('of %s x %i that starts on 31 January is paid until %s', (interval, intervalCount, end) => {
    const next = start(created({ interval, intervalCount }), { now, trialUntil: null, mandate })
    expect(next).toMatchObject({
      status: 'active',
      startedAt: now,
      anchorAt: now,
      renewedAt: null,
      trialUntil: null,
      mandate,
    })
    expect(next.renewedUntil).toEqual(new Date(end))
    expect(nextRenewalAt(next)).toEqual(new Date(end))
  })

  it('with a trial is paid until its end, which is the anchor of what follows', () => {
    const next = start(created(), { now, trialUntil, mandate })
    expect(next).toMatchObject({
      status: 'trial',
      startedAt: now,
      anchorAt: trialUntil,
      trialUntil,
      renewedUntil: trialUntil,
    })
    expect(nextRenewalAt(next)).toEqual(trialUntil)
  })

  it('starts once, and is not started after it was given up', () => {
    const choices = { now, trialUntil: null, mandate }
    expect(() => start(start(created(), choices), choices)).toThrow(illegal)
    expect(() => start(giveUp(created(), now), choices)).toThrow(illegal)
  })

  it('that was never paid ends without a start', () => {
    const ended = giveUp(created(), now)
    expect(ended).toMatchObject({ status: 'canceled', startedAt: null, endedAt: now })
    expect(() => giveUp(start(created(), { now, trialUntil, mandate }), now)).toThrow(illegal)
  })
})
