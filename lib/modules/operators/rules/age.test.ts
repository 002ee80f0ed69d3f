import { expect, it } from 'vitest'
import { type Age, ageOf } from './age.ts'

const now = new Date('2026-11-29T12:00:00Z')

it.each<[string, Age['unit'], number]>([
  ['2026-11-29T12:00:01Z', 'minute', 0],
  ['2026-11-29T12:00:00Z', 'minute', 0],
  ['2026-11-29T11:59:01Z', 'minute', 0],
  ['2026-11-29T11:59:00Z', 'minute', 1],
  ['2026-11-29T10:00:01Z', 'minute', 119],
  ['2026-11-29T10:00:00Z', 'hour', 2],
  ['2026-11-27T12:00:01Z', 'hour', 47],
  ['2026-11-27T12:00:00Z', 'day', 2],
  ['2025-11-29T12:00:00Z', 'day', 365],
])('at noon on 2026-11-29, the age of an item from %s has the unit %s and the count %i', (since, unit, count) => {
  expect(ageOf(new Date(since), now)).toEqual({ unit, count })
})
