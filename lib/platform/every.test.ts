import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { every } from './every.ts'
import { log } from './log.ts'
import { Outage } from './outage.ts'

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

it('every() logs only the first of consecutive failures, and logs the next failure after a success', async () => {
  const warned = vi.spyOn(log, 'warn').mockImplementation(() => undefined)
  const work = vi.fn(async () => undefined)
  for (const name of ['first', 'second']) work.mockRejectedValueOnce(new Error(name))
  work.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('third'))
  const stop = every(1_000, work, new Outage('the work failed'))
  await vi.advanceTimersByTimeAsync(5_000)
  await stop()
  expect(warned.mock.calls).toEqual(['first', 'third'].map((name) => [{ error: `Error: ${name}` }, 'the work failed']))
})

it('with the option atOnce, every() runs its work immediately', async () => {
  const work = vi.fn(async () => undefined)
  await every(1_000, work, vi.fn<(error: unknown) => void>(), { atOnce: true })()
  expect(work).toHaveBeenCalledTimes(1)
})

it('every() never runs its work twice at the same time, and its stop function waits for the current run', async () => {
  const ends: (() => void)[] = []
  const work = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)))
  const stop = every(1_000, work, vi.fn<(error: unknown) => void>())
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
