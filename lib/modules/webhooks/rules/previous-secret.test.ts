import { describe, expect, it } from 'vitest'
import { isSigning, signsUntil } from './previous-secret.ts'

const changedAt = new Date('2026-11-28T12:00:00Z')

describe('replaced secret', () => {
  it.each([
    ['2026-11-28T12:00:00.000Z', true],
    ['2026-11-29T11:59:59.999Z', true],
    ['2026-11-29T12:00:00.000Z', false],
    ['2027-11-29T12:00:00.000Z', false],
  ])('a secret that was replaced at noon UTC on 2026-11-28 is used for signatures at %s: %s', (now, expected) => {
    expect(isSigning({ until: signsUntil(changedAt) }, new Date(now))).toBe(expected)
  })

  it('no second secret is used for signatures if no secret was replaced', () => {
    expect(isSigning(null, changedAt)).toBe(false)
  })
})
