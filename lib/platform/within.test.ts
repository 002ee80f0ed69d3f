import { expect, it } from 'vitest'
import { within } from './within.ts'

const never = new Promise<never>(() => undefined)

it('settles as the work does, also if it fails', async () => {
  expect(await within(60_000, Promise.resolve(7))).toBe(7)
  await expect(within(60_000, Promise.reject(new Error('no')))).rejects.toThrow('no')
})

it('waits no longer than the given time', async () => {
  await expect(within(5, never)).rejects.toThrow('no answer within 5 ms')
})

it('waits no longer when it is given up', async () => {
  const caller = new AbortController()
  const waiting = within(60_000, never, caller.signal)
  caller.abort(new Error('given up'))
  await expect(waiting).rejects.toThrow('given up')
})
