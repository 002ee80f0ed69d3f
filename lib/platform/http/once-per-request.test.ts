import { expect, it, vi } from 'vitest'
import { inPageRequest, oncePerRequest } from './once-per-request.ts'

const aLoad = () => vi.fn(async () => ({}))

it('oncePerRequest loads each key exactly once per page request', async () => {
  const [load, other] = [aLoad(), aLoad()]
  const request = () =>
    inPageRequest(async () => {
      const first = oncePerRequest('checkout', load)
      await new Promise(setImmediate)
      await oncePerRequest('pay', other)
      expect(await oncePerRequest('checkout', load)).toBe(await first)
    })
  await request()
  expect([load.mock.calls.length, other.mock.calls.length]).toEqual([1, 1])
  await Promise.all([request(), request()])
  expect([load.mock.calls.length, other.mock.calls.length]).toEqual([3, 3])
})

it('oncePerRequest does not repeat a failed load within a page request', async () => {
  const load = vi.fn(() => Promise.reject(new Error('away')))
  await inPageRequest(async () => {
    await expect(oncePerRequest('checkout', load)).rejects.toThrow('away')
    await expect(oncePerRequest('checkout', load)).rejects.toThrow('away')
  })
  expect(load).toHaveBeenCalledTimes(1)
})

it('outside a page request, each call of oncePerRequest runs the load', async () => {
  const load = aLoad()
  await oncePerRequest('checkout', load)
  await oncePerRequest('checkout', load)
  expect(load).toHaveBeenCalledTimes(2)
})
