import { describe, expect, it } from 'vitest'
import { samplerOf } from './sampler.ts'

const low = `${'f'.repeat(24)}19999999` // 0.09999999986 of 2^32
const high = `${'0'.repeat(24)}1999999a`

describe('a sampler', () => {
  it.each([
    // On a root with a low and a high id, then on what has a parent that is not recorded, then on what has one that is.
    ['always_on', [true, true, true, true]],
    ['always_off', [false, false, false, false]],
    ['traceidratio', [true, false, false, false]],
    ['parentbased_always_on', [true, true, false, true]],
    ['parentbased_always_off', [false, false, false, true]],
    ['parentbased_traceidratio', [true, false, false, true]],
  ])('%s', (sampler, expected) => {
    const isRecorded = samplerOf({ sampler, ratio: 0.1 })
    const asked = [isRecorded(low, null), isRecorded(high, null), isRecorded(high, false), isRecorded(high, true)]
    expect(asked).toEqual(expected)
  })

  it.each([
    [0, 0],
    [1, 1],
  ])('with a ratio of %d records all or nothing', (ratio, expected) => {
    const isRecorded = samplerOf({ sampler: 'traceidratio', ratio })
    for (const digits of ['00000000', 'ffffffff'])
      expect(isRecorded(`${'a'.repeat(24)}${digits}`, null)).toBe(expected === 1)
  })
})
