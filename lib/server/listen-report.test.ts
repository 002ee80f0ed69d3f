import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { start, waiting } from '../testing/raw-requests.ts'
import type { Listener } from './listen.ts'
import type { ServedRequest } from './request-metrics.ts'

describe('the report of a request', () => {
  const served: ServedRequest[] = []
  let counting: Listener
  let root: string
  beforeAll(async () => {
    counting = await start({ served: (request) => served.push(request) })
    root = `http://127.0.0.1:${counting.port}`
  })
  afterAll(() => counting.close(0))

  it('the server reports the method, route, and status of each request to the callback `served`', async () => {
    await fetch(`${root}/v1/echo/ada`, { method: 'POST', body: 'x' })
    await fetch(`${root}/v1/nothing`)
    await fetch(`${root}/checkout/secret`)
    await fetch(`${root}/v1/breaks`)
    await expect.poll(() => served.length).toBe(4)
    for (const { seconds } of served) expect(seconds).toBeGreaterThan(0)
    expect(served.splice(0).map(({ method, route, status }) => [method, route, status])).toEqual([
      ['POST', '/v1/echo/[id]', 201],
      ['GET', null, 404],
      ['GET', null, 200],
      ['GET', '/v1/breaks', 500],
    ])
  })

  it('the server reports a request without a status to the callback `served` if the client disconnects', async () => {
    const before = waiting.length
    const leaving = new AbortController()
    const left = fetch(`${root}/v1/waits`, { signal: leaving.signal }).catch(() => 'left')
    await expect.poll(() => waiting.length).toBe(before + 1)
    leaving.abort()
    expect(await left).toBe('left')
    await expect.poll(() => served.map(({ route, status }) => [route, status])).toEqual([['/v1/waits', null]])
    waiting.pop()?.()
  })
})
