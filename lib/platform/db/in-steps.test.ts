import { expect, it } from 'vitest'
import { inSteps } from './in-steps.ts'

function table(rows: number) {
  const limits: number[] = []
  return {
    limits,
    step: async (limit: number) => {
      limits.push(limit)
      const found = Math.min(limit, rows)
      rows -= found
      return found
    },
  }
}

it.each([
  [0, 0, 1],
  [999, 999, 1],
  [1_000, 1_000, 2],
  [2_500, 2_500, 3],
  [300_000, 200_000, 200],
])('with %i old rows, inSteps deletes %i rows in %i statements', async (rows, deleted, statements) => {
  const { step, limits } = table(rows)
  expect(await inSteps(step)).toBe(deleted)
  expect(limits).toEqual(Array(statements).fill(1_000))
})
