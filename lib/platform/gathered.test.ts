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

it('gathered() combines calls made at the same moment into one batch, and each call gets its own result', async () => {
  const { calls, double } = doubler()
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(await double(4)).toBe(8)
  expect(calls).toEqual([[1, 2, 3], [4]])
})

it('a call of gathered() joins the batch of its key until the batch starts, and a later call starts another batch', async () => {
  const { calls, double } = doubler()
  // The first call of a batch queues a microtask that starts the batch. The microtask of `before` was queued earlier,
  // so its call of `double` joins the batch of `first`.
  const before = Promise.resolve().then(() => double(4))
  const first = double(1)
  const after = Promise.resolve().then(() => double(3))
  const last = first.then(() => double(2))
  expect(await Promise.all([before, first, after, last])).toEqual([8, 2, 6, 4])
  expect(calls).toEqual([[1, 4], [3], [2]])
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
