import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { every } from './every.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('every() runs its work at an interval and reports failures', async () => {
  const failed = vi.fn()
  const work = vi.fn(async () => undefined).mockRejectedValueOnce('first')
  const stop = every(1_000, work, failed)
  expect(work).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(work).toHaveBeenCalledTimes(3)
  expect(failed.mock.calls).toEqual([['first']])
  await stop()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(work).toHaveBeenCalledTimes(3)
})

it('every() begins immediately with the option atOnce', async () => {
  const work = vi.fn(async () => undefined)
  await every(1_000, work, vi.fn(), { atOnce: true })()
  expect(work).toHaveBeenCalledTimes(1)
})

it('every() never runs its work twice at the same time, and its stop function waits for the current run', async () => {
  const ends: (() => void)[] = []
  const work = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)))
  const stop = every(1_000, work, vi.fn())
  await vi.advanceTimersByTimeAsync(3_000)
  expect(work).toHaveBeenCalledTimes(1)
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(isStopped).toBe(false)
  ends[0]?.()
  await stopped
  expect(isStopped).toBe(true)
})
