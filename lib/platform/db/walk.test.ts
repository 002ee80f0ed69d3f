import { expect, it } from 'vitest'
import { type Walked, walk } from './walk.ts'

const id = (n: number) => String(n).padStart(6, '0')

function table(rows: number) {
  const limits: number[] = []
  const gone = new Set<number>()
  return {
    limits,
    gone,
    step: async (after: string, limit: number): Promise<Walked> => {
      limits.push(limit)
      const seen = Array.from({ length: rows }, (_, n) => n + 1)
        .filter((n) => id(n) > after && !gone.has(n))
        .slice(0, limit)
      const removed = seen.filter((n) => n % 10 !== 0)
      for (const n of removed) gone.add(n)
      const last = seen.at(-1)
      return { seen: seen.length, removed: removed.length, last: last === undefined ? null : id(last) }
    },
  }
}

it.each([
  [0, 0, 1],
  [999, 900, 1],
  [1_000, 900, 2],
  [2_500, 2_250, 3],
])('walk() with %i rows removes %i rows in %i statements of at most 1,000 rows', async (rows, removed, statements) => {
  const { step, limits } = table(rows)
  expect(await walk('', 60_000, step)).toEqual({ removed, walkedTo: '' })
  expect(limits).toEqual(Array(statements).fill(1_000))
})

it('walk() stops at its time limit, and the next call continues after the last visited row', async () => {
  const { step, gone } = table(2_500)
  expect(await walk('', 0, step)).toEqual({ removed: 900, walkedTo: id(1_000) })
  expect(await walk(id(1_000), 0, step)).toEqual({ removed: 900, walkedTo: id(2_000) })
  expect(await walk(id(2_000), 0, step)).toEqual({ removed: 450, walkedTo: '' })
  expect(gone.size).toBe(2_250)
})

it('walk() pauses after each statement for as long as the statement took', async () => {
  const { step } = table(1_500)
  const pauses: number[] = []
  const slow = async (after: string, limit: number) => {
    const until = performance.now() + 20
    while (performance.now() < until);
    return step(after, limit)
  }
  await walk('', 60_000, slow, async (ms) => pauses.push(ms))
  expect(pauses).toHaveLength(1)
  expect(pauses[0]).toBeGreaterThanOrEqual(20)
})
