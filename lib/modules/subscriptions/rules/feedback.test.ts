import { describe, expect, it } from 'vitest'
import { longestComment, readFeedback } from './feedback.ts'

describe('the feedback of a cancellation', () => {
  it.each([
    [null, null, null],
    ['', '  ', null],
    ['no such reason', '', null],
    ['too_expensive', '', { reason: 'too_expensive', comment: null }],
    ['', ' Thanks \n', { reason: null, comment: 'Thanks' }],
    ['other', 'a\0b\ud800', { reason: 'other', comment: 'ab\ufffd' }],
  ])('the cancellation reason %j with comment %j is read as %j', (reason, comment, feedback) => {
    expect(readFeedback(reason, comment)).toEqual(feedback)
  })

  it('the comment of a cancellation is cut to its maximum length', () => {
    expect(readFeedback(null, '🙂'.repeat(longestComment + 1))?.comment).toBe('🙂'.repeat(longestComment))
  })
})
