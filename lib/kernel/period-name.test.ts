import { expect, test } from 'vitest'
import { periodName } from './period-name.ts'

test.each([
  ['2026-11', 'en', 'November 2026'],
  ['2026-11', 'de', 'November 2026'],
  ['2026-11', 'pl', 'listopad 2026'],
  ['2026-Q4', 'en', 'quarter 4 of 2026'],
  ['2026', 'fr', '2026'],
] as const)('the period %s has the name of its month or quarter in the language %s: %s', (period, locale, name) => {
  expect(periodName(period, locale, ({ quarter, year }) => `quarter ${quarter} of ${year}`)).toBe(name)
})
