import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { publish } from '@/lib/modules/events/publish.ts'
import { now } from '@/lib/platform/clock/clock.ts'
import { db } from '@/lib/platform/db/db.ts'
import { nothing } from '@/lib/platform/jobs/transact.ts'
import type { Listener } from '@/lib/server/listen.ts'
import { send } from '@/lib/testing/api.ts'
import { aPlan } from '@/lib/testing/factories.ts'
import { aGate } from '@/lib/testing/gate.ts'
import { listening } from '@/lib/testing/listening.ts'
import { type Scenario, subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'
import { EventFeed } from '../src/feed.ts'
import { loginOf } from '../src/login.ts'
import { Receiver } from './service.ts'
import { User } from './terminal.ts'

let listener: Listener
let scenario: Scenario
let receiver: Receiver
let user: User

beforeEach(async () => {
  listener = await listening()
  scenario = await subscriptionScenario()
  receiver = new Receiver()
  user = new User({ BILLHOOK_URL: `http://127.0.0.1:${listener.port}`, BILLHOOK_KEY: scenario.key })
})
afterEach(async () => {
  user.leave()
  await Promise.all([receiver.stop(), listener.close(0)])
})

const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 })

const tenant = () => ({ storefrontId: scenario.shop.storefrontId, testmode: true })
const eventsAfter = async (id: string) =>
  (
    await db().events.findMany({
      where: { storefront_id: tenant().storefrontId, testmode: true, id: { gt: id } },
      orderBy: { id: 'asc' },
    })
  ).map((event) => event.id)

it('billhook listen forwards every event exactly once and in order while a test clock advances a year and the service restarts', async () => {
  const url = await receiver.start()
  const { written, ended, stop } = user.start(`listen --json --forward-to ${url}`)
  onTestFinished(stop)
  await until(() => expect(written.out).toContain('"ready"'))
  const { after } = JSON.parse(written.out)
  const port = listener.port
  for (let advances = 1; advances <= 4; advances++) {
    const advanced = await user.run(['clock', 'advance', 'P3M'])
    expect(advanced, advanced.error).toMatchObject({ code: 0 })
    if (advances % 2 === 0) continue
    await listener.close(0)
    await until(() => expect(written.out.match(/"isConnected":false/g)?.length).toBe((advances + 1) / 2))
    const { id } = await aPlan(scenario.key)
    expect((await send(`POST /v1/subscription-plans/${id}/archive`, { key: scenario.key })).status).toBe(204)
    listener = await listening(port)
  }
  const expected = await eventsAfter(after)
  expect(expected.length).toBeGreaterThanOrEqual(24)
  await until(() => expect(receiver.ids).toEqual(expected))
  stop()
  expect(await ended).toBe(0)
})

it('the feed of events returns an event that is committed after events with greater ids', async () => {
  const stop = new AbortController()
  const { billhook } = loginOf(String(user.env.BILLHOOK_URL), scenario.key, 'login')
  const feed = new EventFeed(billhook, { signal: stop.signal, pollMs: 10, sweepMs: 20 })
  await feed.begin()
  const returned: string[] = []
  const reading = (async () => {
    for await (const { eventName } of feed) returned.push(eventName)
  })()
  const written = aGate()
  const commits = aGate()
  const plan = { id: scenario.planId }
  const publishOne = (name: 'subscription_plan.archived' | 'subscription_plan.unarchived', until?: Promise<void>) =>
    db().$transaction(async (sql) => {
      await publish(sql, tenant(), await now(sql, tenant()), [{ name, object: plan }], nothing)
      written.open()
      await until
    })
  const late = publishOne('subscription_plan.archived', commits.opened)
  await written.opened
  await publishOne('subscription_plan.unarchived')
  await until(() => expect(returned).toEqual(['subscription_plan.unarchived']))
  commits.open()
  await late
  await until(() => expect(returned).toEqual(['subscription_plan.unarchived', 'subscription_plan.archived']))
  stop.abort()
  await reading
})
