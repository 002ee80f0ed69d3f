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

it('calls of one turn of the event loop run as one batch, and each gets its result', async () => {
  const { calls, double } = doubler()
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(await double(4)).toBe(8)
  expect(calls).toEqual([[1, 2, 3], [4]])
})

it('calls that arrive during a batch run in the next batch', async () => {
  const { calls, double } = doubler()
  const first = double(1)
  const second = first.then(() => double(2))
  const third = Promise.resolve().then(() => double(3))
  expect(await Promise.all([first, second, third])).toEqual([2, 4, 6])
  expect(calls.flat().sort()).toEqual([1, 2, 3])
})

it('an error reaches all callers of its key only, and the next call runs again', async () => {
  const { calls, double } = doubler()
  const outcomes = await Promise.allSettled([1, 100, 13, 200].map(double))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect(calls).toEqual([
    [1, 13],
    [100, 200],
  ])
  expect(await double(5)).toBe(10)
})
