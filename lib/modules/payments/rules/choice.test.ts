import { describe, expect, it } from 'vitest'
import { outcomes } from '../page.ts'
import { readChoice } from './choice.ts'
import { failureReasons } from './failure.ts'

const form = (fields: Record<string, string>) => new URLSearchParams(fields)

describe('test payment page', () => {
  it.each(outcomes)('the form of the test payment page accepts the outcome %s', (outcome) => {
    expect(readChoice(form({ outcome }))).toEqual({ outcome, failureReason: 'general_failure', mandate: 'valid' })
  })

  it.each(failureReasons)('the form of the test payment page accepts the failure reason %s', (failureReason) => {
    expect(readChoice(form({ outcome: 'failed', failureReason }))?.failureReason).toBe(failureReason)
  })

  it('readChoice replaces an unknown failure reason or mandate with the default, and returns null for an unknown outcome', () => {
    expect(readChoice(form({ outcome: 'failed', failureReason: 'bad_mood', mandate: 'maybe' }))).toEqual({
      outcome: 'failed',
      failureReason: 'general_failure',
      mandate: 'valid',
    })
    expect(readChoice(form({ outcome: 'PAID' }))).toBeNull()
    expect(readChoice(form({}))).toBeNull()
  })

  it('the form of the test payment page accepts a pending mandate', () => {
    expect(readChoice(form({ outcome: 'paid', mandate: 'pending' }))?.mandate).toBe('pending')
  })
})
