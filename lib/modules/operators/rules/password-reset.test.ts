import { describe, expect, it } from 'vitest'
import { isUsable, mayAskAgain, resetExpiryOf } from './password-reset.ts'

const now = new Date('2026-11-20T10:00:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)

describe('password reset links', () => {
  it.each([
    ['can be used immediately after it was sent', null, now, true],
    ['can be used until one hour has passed', null, new Date(minutes(60).getTime() - 1), true],
    ['cannot be used after one hour', null, minutes(60), false],
    ['cannot be used after it was used or replaced', now, now, false],
  ])('a password reset link %s', (_, endedAt, at, expected) => {
    expect(isUsable({ endedAt, expiresAt: resetExpiryOf(now) }, at)).toBe(expected)
  })

  it.each([
    [[], true],
    [[now, now], true],
    [[now, now, now], false],
    [[now, now, minutes(-60)], true],
  ])('after password reset links were sent at %j, another link may be sent: %j', (made, expected) => {
    expect(mayAskAgain(made, now)).toBe(expected)
  })
})
