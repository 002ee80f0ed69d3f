import { expect, it } from 'vitest'
import { within } from './within.ts'

const never = new Promise<never>(() => undefined)

it('within() resolves or rejects with the outcome of its work', async () => {
  expect(await within(60_000, Promise.resolve(7))).toBe(7)
  await expect(within(60_000, Promise.reject(new Error('no')))).rejects.toThrow('no')
})

it('within() rejects after the given time', async () => {
  await expect(within(5, never)).rejects.toThrow('no response within 5 ms')
})

it('within() rejects when its signal aborts', async () => {
  const caller = new AbortController()
  const waiting = within(60_000, never, caller.signal)
  caller.abort(new Error('given up'))
  await expect(waiting).rejects.toThrow('given up')
})
