import { afterEach, expect, it, vi } from 'vitest'
import { barrier } from '../testing/barrier.ts'
import { type Listener, listen } from './listen.ts'
import { inTurns } from './page-queue.ts'

const limits = { atOnce: 2, most: 4, mostOfOne: 3, retryAfterSeconds: 5, heldMs: 60_000 }
const listeners: Listener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close(0)
})

async function aSite(more: Partial<typeof limits> = {}) {
  const begun: string[] = []
  const reported: unknown[] = []
  const doors = new Map<string, () => Promise<void>>()
  const door = (path: string) => doors.get(path) ?? doors.set(path, barrier(2)).get(path) ?? (async () => undefined)
  const listener = await listen({
    port: 0,
    baseUrl: 'https://pay.example.com',
    clientAddressHeader: 'x-seen',
    routes,
    notRouted: () => new Response(null, { status: 404 }),
    pages: inTurns(
      async ({ url = '' }, response) => {
        begun.push(url)
        await door(url)()
        if (url.startsWith('/gone')) throw new Error('the inside')
        response.end(`page ${url}`)
      },
      { ...limits, ...more },
    ),
    report: (error) => reported.push(error),
  })
  listeners.push(listener)
  const base = `http://127.0.0.1:${listener.port}`
  const ask = async (path: string, from = '192.0.2.1', init: RequestInit = {}) => {
    const answer = await fetch(base + path, { ...init, headers: { 'x-seen': from, 'accept-language': 'de' } })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
  }
  return { begun, reported, ask, letGo: (path: string) => door(path)() }
}

const routes = [{ path: '/v1/call', methods: { GET: () => new Response('called') } }]
const drawn = (path: string) => ({ status: 200, retryAfter: null, text: `page ${path}` })

it('at most `atOnce` pages render at the same time, client addresses take turns, and API calls do not wait', async () => {
  const { begun, ask, letGo } = await aSite()
  const asked = []
  for (const [index, path] of ['/1', '/2', '/3', '/4'].entries()) {
    asked.push(ask(path))
    if (index < 2) await vi.waitFor(() => expect(begun).toContain(path))
    else await ask('/v1/call')
  }
  asked.push(ask('/5', '192.0.2.2'))
  expect((await ask('/v1/call')).text).toBe('called')
  expect(begun).toEqual(['/1', '/2'])
  const last: Record<string, string> = { '/1': '/3', '/3': '/5', '/2': '/4' }
  for (const [path, next] of Object.entries(last)) {
    await letGo(path)
    await vi.waitFor(() => expect(begun.at(-1)).toBe(next))
  }
  await Promise.all([letGo('/4'), letGo('/5')])
  expect(await Promise.all(asked)).toEqual(['/1', '/2', '/3', '/4', '/5'].map(drawn))
})

it('a page request above the limit per address or the total limit gets 503 with an explanation', async () => {
  const { begun, ask, letGo } = await aSite()
  const path = (index: number) => `/page/${index}`
  const asked = [0, 1].map((index) => ask(path(index)))
  await vi.waitFor(() => expect(begun).toHaveLength(2))
  const flood = Array.from({ length: 10 }, (_, index) => ask(path(index + 2)))
  const refused: Awaited<ReturnType<typeof ask>>[] = []
  for (const each of flood) void each.then((answer) => answer.status === 503 && refused.push(answer))
  await vi.waitFor(() => expect(refused).toHaveLength(7))
  expect(refused[0]).toMatchObject({ retryAfter: '5', text: expect.stringContaining('Warten Sie 5 Sekunden') })
  // The queue has one free slot. The second address gets this slot, so the third address is refused.
  const other = ask('/other', '192.0.2.2')
  await ask('/v1/call')
  await vi.waitFor(async () => expect((await ask('/third', '192.0.2.3')).status).toBe(503))
  for (let index = 0; index < 12; index++) void letGo(path(index))
  void letGo('/other')
  const statuses = (await Promise.all([...asked, ...flood, other])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(6)
  expect(begun).toHaveLength(6)
  void letGo('/afterwards')
  expect(await ask('/afterwards')).toEqual(drawn('/afterwards'))
})

it('a page does not block the next page while it waits for a slow operation', async () => {
  const { begun, ask, letGo } = await aSite({ atOnce: 1, heldMs: 20 })
  const slow = ask('/slow')
  await vi.waitFor(() => expect(begun).toEqual(['/slow']))
  void letGo('/next')
  expect(await ask('/next')).toEqual(drawn('/next'))
  await letGo('/slow')
  expect(await slow).toEqual(drawn('/slow'))
})

it('an error of a page is reported even if the next page has started to render', async () => {
  const { begun, reported, ask, letGo } = await aSite({ atOnce: 1, heldMs: 20 })
  void letGo('/gone/1')
  expect((await ask('/gone/1')).status).toBe(500)
  const late = ask('/gone/2')
  await vi.waitFor(() => expect(begun).toContain('/gone/2'))
  void letGo('/next')
  expect(await ask('/next')).toEqual(drawn('/next'))
  await letGo('/gone/2')
  expect((await late).status).toBe(500)
  expect(reported).toEqual([new Error('the inside'), new Error('the inside')])
})

it('a page is not rendered after its client disconnects', async () => {
  const { begun, ask, letGo } = await aSite({ atOnce: 1 })
  const first = ask('/1')
  await vi.waitFor(() => expect(begun).toEqual(['/1']))
  const left = new AbortController()
  const gone = ask('/left', '192.0.2.1', { signal: left.signal }).catch((error: Error) => error.name)
  await ask('/v1/call')
  left.abort()
  expect(await gone).toBe('AbortError')
  await ask('/v1/call')
  await letGo('/1')
  await first
  void letGo('/2')
  expect(await ask('/2')).toEqual(drawn('/2'))
  expect(begun).toEqual(['/1', '/2'])
})
