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
  ])('the cancellation reason %j with the comment %j becomes the feedback %j', (reason, comment, feedback) => {
    expect(readFeedback(reason, comment)).toEqual(feedback)
  })

  it('a comment about a cancellation is cut to its maximum length', () => {
    expect(readFeedback(null, '🙂'.repeat(longestComment + 1))?.comment).toBe('🙂'.repeat(longestComment))
  })
})
