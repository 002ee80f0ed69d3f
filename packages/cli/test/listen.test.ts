import { webhooks } from '@billhook/sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EventFeed } from '../src/feed.ts'
import { loginOf } from '../src/login.ts'
import { EventService, Receiver } from './service.ts'
import { User } from './terminal.ts'

let service: EventService
let receiver: Receiver
let receiverUrl: string
let user: User

beforeEach(async () => {
  service = new EventService()
  receiver = new Receiver()
  await service.start()
  receiverUrl = await receiver.start()
  user = new User({ BILLHOOK_URL: service.url, BILLHOOK_KEY: service.key })
})
afterEach(async () => {
  user.leave()
  await Promise.all([service.stop(), receiver.stop()])
})

const listen = async (line = '') => {
  const started = user.start(`listen --forward-to ${receiverUrl} ${line}`)
  await vi.waitFor(() => expect(started.written.out).toContain('Listening'), { timeout: 20_000 })
  return started
}
const untilReceived = (ids: string[]) => vi.waitFor(() => expect(receiver.ids).toEqual(ids), { timeout: 20_000 })

describe('billhook listen', () => {
  it('billhook listen forwards events in order, with signatures that the SDK accepts', async () => {
    service.add(1)
    const { written, ended, stop } = await listen()
    const ids = [service.add(2), service.add(3, 'subscription.started'), service.add(4)]
    await untilReceived(ids)
    const [, secret = ''] = /Secret (whsec_\S+)/.exec(written.out) ?? []
    for (const { header, body, eventId } of receiver.deliveries)
      expect((await webhooks.verify(body, header, secret)).id).toBe(eventId)
    await vi.waitFor(() => expect(written.out).toMatch(/order\.paid +webhook_event_0+4 {2}204 in \d+ ms/))
    stop()
    expect(await ended).toBe(0)
    expect(written.error).toContain(`billhook listen --after ${ids[2]}`)
  })

  it('billhook listen forwards every event exactly once when the service restarts', async () => {
    const { written, ended, stop } = await listen()
    const ids: string[] = []
    for (let round = 0; round < 2; round++) {
      ids.push(service.add(ids.length + 1))
      await untilReceived(ids)
      await service.stop()
      for (let nth = 0; nth < 150; nth++) ids.push(service.add(ids.length + 1))
      await vi.waitFor(() => expect(written.out.match(/does not respond/g)).toHaveLength(round + 1), {
        timeout: 20_000,
      })
      service.dropped = 2
      await service.start()
      await untilReceived(ids)
      await vi.waitFor(() => expect(written.out.match(/responds again/g)).toHaveLength(round + 1), { timeout: 20_000 })
    }
    stop()
    expect(await ended).toBe(0)
  })

  it('billhook listen forwards events in order after the receiver restarts', async () => {
    const { written, ended, stop } = await listen()
    await receiver.stop()
    const ids = [service.add(1), service.add(2), service.add(3)]
    await vi.waitFor(() => expect(written.out).toContain('Nothing listens at the address.'), { timeout: 20_000 })
    await receiver.start()
    await untilReceived(ids)
    stop()
    expect(await ended).toBe(0)
  })

  it('billhook listen shows a response other than 2xx and continues with the next event', async () => {
    receiver.statuses = [500]
    const { written, ended, stop } = await listen()
    await untilReceived([service.add(1), service.add(2)])
    await vi.waitFor(() => expect(written.out).toMatch(/500 in \d+ ms[\s\S]*204 in/))
    stop()
    expect(await ended).toBe(0)
  })

  it('billhook listen --events forwards only events with the given names', async () => {
    const { ended, stop } = await listen('--events subscription.*,order.canceled')
    service.add(1)
    const ids = [service.add(2, 'subscription.started'), service.add(3, 'order.canceled')]
    await untilReceived(ids)
    stop()
    expect(await ended).toBe(0)
  })

  it('billhook listen --after starts after the given event, even if several pages of events follow', async () => {
    const ids = Array.from({ length: 250 }, (_, number) => service.add(number + 1))
    const { ended, stop } = await listen(`--after ${ids[0]}`)
    await untilReceived(ids.slice(1))
    stop()
    expect(await ended).toBe(0)
  })

  it('billhook listen --json prints one object per line', async () => {
    const { written, ended, stop } = user.start(`listen --json --forward-to ${receiverUrl}`)
    await vi.waitFor(() => expect(written.out).toContain('"ready"'), { timeout: 20_000 })
    const id = service.add(1)
    await vi.waitFor(() => expect(written.out).toContain(id), { timeout: 20_000 })
    stop()
    await ended
    expect(
      written.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        type: 'ready',
        service: service.url,
        testmode: true,
        forwardTo: receiverUrl,
        secret: expect.any(String),
        after: null,
      },
      {
        type: 'event',
        at: expect.any(String),
        id,
        eventName: 'order.paid',
        entityId: expect.any(String),
        createdAt: expect.any(String),
        status: 204,
        durationMs: expect.any(Number),
        error: null,
      },
    ])
  })

  it('billhook listen fails for an unknown event name, an unknown event id, or an invalid key, and billhook status fails if the service is down', async () => {
    expect(await user.run('listen --events order.payd')).toMatchObject({
      code: 2,
      error: expect.stringContaining('order.payd'),
    })
    expect(await user.run('listen --after webhook_event_1')).toMatchObject({
      code: 1,
      error: expect.stringContaining('no event'),
    })
    user.env.BILLHOOK_KEY = 'test_other'
    expect(await user.run('listen')).toMatchObject({ code: 3, error: expect.stringContaining('does not accept') })
    user.env.BILLHOOK_URL = 'http://127.0.0.1:9'
    expect(await user.run('status')).toMatchObject({ code: 4, error: expect.stringContaining('does not respond') })
  })
})

describe('billhook resend', () => {
  it('billhook resend uses the secret and the URL of the last billhook listen', async () => {
    const id = service.add(1)
    const { ended, stop, written } = await listen()
    stop()
    await ended
    const [, secret = ''] = /Secret (whsec_\S+)/.exec(written.out) ?? []
    expect(await user.json(`resend ${id}`)).toMatchObject({ id, status: 204, forwardTo: receiverUrl })
    const [delivery] = receiver.deliveries
    expect((await webhooks.verify(delivery?.body ?? '', delivery?.header, secret)).id).toBe(id)
  })

  it('billhook resend exits with code 1 if the receiver refuses the event or is down', async () => {
    const id = service.add(1)
    receiver.statuses = [400]
    expect(await user.run(`resend ${id} --forward-to ${receiverUrl}`)).toMatchObject({
      code: 1,
      error: expect.stringContaining('400'),
    })
    await receiver.stop()
    expect(await user.run(`resend ${id} --forward-to ${receiverUrl}`)).toMatchObject({
      code: 1,
      error: expect.stringContaining('Nothing listens'),
    })
    await receiver.start()
  })
})

describe('the feed of events', () => {
  it('the event feed returns an event exactly once, even if it is committed after events with greater ids', async () => {
    const stop = new AbortController()
    const { billhook } = loginOf(service.url, service.key, 'login')
    const feed = new EventFeed(billhook, { signal: stop.signal, pollMs: 5, sweepMs: 0, settleMs: 60_000 })
    service.add(1)
    await feed.begin()
    const returned: string[] = []
    const reading = (async () => {
      for await (const { id } of feed) returned.push(id)
    })()
    const ids = [service.add(5), service.add(9)]
    await vi.waitFor(() => expect(returned).toEqual(ids), { timeout: 20_000 })
    ids.push(service.add(7))
    await vi.waitFor(() => expect(returned).toEqual(ids), { timeout: 20_000 })
    ids.push(service.add(10), service.add(11))
    await vi.waitFor(() => expect(returned).toEqual(ids), { timeout: 20_000 })
    stop.abort()
    await reading
  })

  it.each([
    ['a few events', 3],
    ['more than one page of events', 150],
  ])('after %s, the event feed returns a late event with a smaller id exactly once', async (_, before) => {
    const stop = new AbortController()
    const { billhook } = loginOf(service.url, service.key, 'login')
    const feed = new EventFeed(billhook, { signal: stop.signal, pollMs: 5, sweepMs: 0, settleMs: 60_000 })
    for (let number = 1; number <= before; number++) service.add(number * 10)
    await feed.begin()
    const returned: string[] = []
    const reading = (async () => {
      for await (const { id } of feed) returned.push(id)
    })()
    const late = service.add(before * 10 - 5)
    await vi.waitFor(() => expect(returned).toEqual([late]), { timeout: 20_000 })
    const next = service.add(before * 10 + 1)
    await vi.waitFor(() => expect(returned).toEqual([late, next]), { timeout: 20_000 })
    stop.abort()
    await reading
  })

  it('an idle event feed requests only new events', async () => {
    const stop = new AbortController()
    const { billhook } = loginOf(service.url, service.key, 'login')
    const feed = new EventFeed(billhook, { signal: stop.signal, pollMs: 5, sweepMs: 0, settleMs: 0 })
    for (let number = 1; number <= 50; number++) service.add(number)
    await feed.begin()
    const pages: string[] = []
    const listed = vi.spyOn(billhook, 'listWebhookEvents')
    const reading = (async () => {
      for await (const { id } of feed) pages.push(id)
    })()
    // The feed first reads the existing events again to find late events. These first requests are not checked.
    await vi.waitFor(() => expect(listed.mock.calls.length).toBeGreaterThan(5), { timeout: 20_000 })
    listed.mockClear()
    await vi.waitFor(() => expect(listed.mock.calls.length).toBeGreaterThan(5), { timeout: 20_000 })
    stop.abort()
    await reading
    expect(pages).toEqual([])
    for (const [query] of listed.mock.calls) expect(query).toEqual({ limit: 100, endingBefore: feed.position })
  })
})
