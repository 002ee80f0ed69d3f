import { expect, it } from 'vitest'
import { gathered } from './gathered.ts'

function doubler() {
  const calls: number[][] = []
  const double = gathered(
    (each) => (each < 100 ? 'small' : 'large'),
    async (all: readonly number[]) => {
      calls.push([...all])
      if (all.includes(13)) throw new Error('unlucky')
      return all.map((each) => 2 * each)
    },
  )
  return { calls, double }
}

it('gathered() runs calls in the same turn of the event loop as one batch, and each call gets its own result', async () => {
  const { calls, double } = doubler()
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(await double(4)).toBe(8)
  expect(calls).toEqual([[1, 2, 3], [4]])
})

it('gathered() runs each call exactly once if several calls arrive at different times', async () => {
  const { calls, double } = doubler()
  const first = double(1)
  const second = first.then(() => double(2))
  const third = Promise.resolve().then(() => double(3))
  expect(await Promise.all([first, second, third])).toEqual([2, 4, 6])
  expect(calls.flat().sort()).toEqual([1, 2, 3])
})

it('gathered() makes one batch per key, and a failed batch rejects only the calls with its key', async () => {
  const { calls, double } = doubler()
  const outcomes = await Promise.allSettled([1, 100, 13, 200].map(double))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect(calls).toEqual([
    [1, 13],
    [100, 200],
  ])
  expect(await double(5)).toBe(10)
})
