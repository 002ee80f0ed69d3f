import { describe, expect, it } from 'vitest'
import { outcomes } from '../page.ts'
import { readChoice } from './choice.ts'
import { failureReasons } from './failure.ts'

const form = (fields: Record<string, string>) => new URLSearchParams(fields)

describe('the form of the test payment page', () => {
  it.each(outcomes)('reads the outcome %s', (outcome) => {
    expect(readChoice(form({ outcome }))).toEqual({ outcome, failureReason: 'general_failure', mandate: 'valid' })
  })

  it.each(failureReasons)('reads the reason %s', (failureReason) => {
    expect(readChoice(form({ outcome: 'failed', failureReason }))?.failureReason).toBe(failureReason)
  })

  it('uses the default for unknown values, and has no outcome where none is given', () => {
    expect(readChoice(form({ outcome: 'failed', failureReason: 'bad_mood', mandate: 'maybe' }))).toEqual({
      outcome: 'failed',
      failureReason: 'general_failure',
      mandate: 'valid',
    })
    expect(readChoice(form({ outcome: 'PAID' }))).toBeNull()
    expect(readChoice(form({}))).toBeNull()
  })

  it('reads a mandate that is still pending', () => {
    expect(readChoice(form({ outcome: 'paid', mandate: 'pending' }))?.mandate).toBe('pending')
  })
})
