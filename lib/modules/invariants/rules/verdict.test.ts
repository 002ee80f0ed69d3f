import { expect, it } from 'vitest'
import { verdict } from './verdict.ts'

const found = (name: string, count: number) =>
  ({ invariant: 'I5', name, status: count === 0 ? 'ok' : 'broken', count }) as const

it.each([
  [[0, 0, 0], 'All 3 invariants hold.'],
  [[0, 1, 0], '1 of 3 invariants is broken: I5 n1 (1 row).'],
  [[2, 0, 1], '2 of 3 invariants are broken: I5 n0 (2 rows); I5 n2 (1 row).'],
])('the verdict for violation counts %j is: %s', (counts, sentence) => {
  expect(verdict(counts.map((count, index) => found(`n${index}`, count)))).toBe(sentence)
})
