import { expect, it } from 'vitest'
import { OpenStream } from '../platform/jobs/open-streams.ts'
import { drain } from './drain.ts'
import { listen } from './listen.ts'

async function aDispatchUnderWay() {
  const stream = new OpenStream('webhook_1', 'storefront_1')
  let begins = () => {}
  const begun = new Promise<void>((resolve) => {
    begins = resolve
  })
  const dispatch = async () => {
    begins()
    while (!stream.isOver) await stream.changed()
    return new Response('ended')
  }
  const listener = await listen({
    port: 0,
    clientAddressHeader: null,
    baseUrl: 'http://billhook.test',
    routes: [{ path: '/api/inngest', methods: { POST: dispatch } }],
    notRouted: () => new Response(null, { status: 404 }),
    pages: async () => undefined,
    report: () => undefined,
  })
  const answer = fetch(`http://127.0.0.1:${listener.port}/api/inngest`, { method: 'POST' })
  await begun
  return { stream, listener, answer }
}

it('a draining server tells the open webhook dispatch tasks to end, and waits until these tasks have ended', async () => {
  const { stream, listener, answer } = await aDispatchUnderWay()
  const drained = drain(listener, 30_000).then(() => 'drained')
  expect(await (await answer).text()).toBe('ended')
  expect(await Promise.race([drained, new Promise((resolve) => setImmediate(() => resolve('waits')))])).toBe('waits')
  await stream.close()
  expect(await drained).toBe('drained')
  const next = new OpenStream('webhook_2', 'storefront_1')
  expect(next.isOver).toBe(false)
  await next.close()
})
