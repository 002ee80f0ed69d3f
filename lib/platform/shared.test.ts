import { afterEach, expect, it, vi } from 'vitest'
import { shared } from './shared.ts'

afterEach(() => vi.restoreAllMocks())

it('shared() returns the result of one look-up to all calls until the result expires, and then repeats the look-up', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(5_000)
  let looks = 0
  const ask = shared(1_000, async () => ++looks)
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  now.mockReturnValue(5_999)
  expect(await ask()).toBe(1)
  now.mockReturnValue(6_000)
  expect(await ask()).toBe(2)
})

it('shared() repeats a failed look-up at the next call', async () => {
  let looks = 0
  const ask = shared(1_000, async () => {
    if (++looks === 1) throw new Error('away')
    return looks
  })
  await expect(ask()).rejects.toThrow('away')
  expect(await ask()).toBe(2)
})
