import { expect, it } from 'vitest'
import { horizonOf } from './horizon.ts'

it.each([
  ['2026-11-24T12:00:00.000Z', 90, '2026-08-26T12:00:00.000Z'],
  ['2026-11-24T12:00:00.999Z', 90, '2026-08-26T12:00:00.000Z'],
  ['2026-03-30T00:00:00.000Z', 1, '2026-03-29T00:00:00.000Z'],
  ['2028-03-01T00:00:00.000Z', 1_461, '2024-03-01T00:00:00.000Z'],
  ['2026-11-24T12:00:00.000Z', 0, undefined],
])('at %s, with a retention of %i days, the time before which rows are removed is %s', (now, days, before) => {
  expect(horizonOf(new Date(now), days)?.toISOString()).toBe(before)
})
