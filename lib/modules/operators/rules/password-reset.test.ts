import { describe, expect, it } from 'vitest'
import { isUsable, mayAskAgain, resetExpiryOf } from './password-reset.ts'

const now = new Date('2026-11-20T10:00:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)

describe('the link of a password reset', () => {
  it.each([
    ['at once', null, now, true],
    ['for an hour', null, new Date(minutes(60).getTime() - 1), true],
    ['not at its end', null, minutes(60), false],
    ['not once it has ended', now, now, false],
  ])('the link of a password reset can be used %s', (_, endedAt, at, expected) => {
    expect(isUsable({ endedAt, expiresAt: resetExpiryOf(now) }, at)).toBe(expected)
  })

  it.each([
    [[], true],
    [[now, now], true],
    [[now, now, now], false],
    [[now, now, minutes(-60)], true],
  ])('an operator gets at most three password reset links within an hour: %j', (made, expected) => {
    expect(mayAskAgain(made, now)).toBe(expected)
  })
})
