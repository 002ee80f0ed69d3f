import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as database from '../../platform/db/db.ts'
import { OpenStream } from '../../platform/jobs/open-streams.ts'
import { claimStreams, dueStreams } from '../../platform/jobs/streams.ts'
import { startWorker, stopWorker } from '../../platform/jobs/worker.ts'
import { tasks } from '../../server/jobs.ts'
import { expireLeases, killedAt } from '../../testing/crash.ts'
import { aGate } from '../../testing/gate.ts'
import { deliverPatiently } from '../../testing/patience.ts'
import { aReceiver } from '../../testing/receiver.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { shortenIntervals } from '../../testing/short-intervals.ts'
import { transact } from '../events/transact.ts'
import { listDeliveries, register, update } from './operations.ts'
import * as posting from './post.ts'
import { resendDelivery } from './resend.ts'

deliverPatiently()

const { db } = database

let shop: Shop
let endpointId: string
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeEach(async () => {
  await db().tasks.deleteMany()
  shop = await aShop()
  receiver = await aReceiver()
  endpointId = (await register(shop.scope, { url: receiver.url, secret: 'whsec_0123456789' })).id
})
afterEach(async () => {
  await receiver.close()
  await stopWorker()
})

const emit = (count: number, from = 0) =>
  transact(shop.scope, (tx) =>
    tx.emitAll(Array.from({ length: count }, (_, n) => ({ name: 'order.paid', object: { id: `order ${from + n}` } }))),
  )
const arrived = () => receiver.events().map(({ body }) => body.entityId as string)
const statuses = async () => {
  const rows = await db().deliveries.groupBy({
    by: ['status'],
    where: { storefront_id: shop.storefrontId },
    _count: true,
  })
  return Object.fromEntries(rows.map(({ status, _count }) => [status, _count]))
}
const tasksLeft = () => db().tasks.count({ where: { storefront_id: shop.storefrontId } })
const isRecording = (text: string) => /INSERT INTO "?delivery_attempts/.test(text)
const mine = async () => (await dueStreams()).filter(({ stream }) => stream === endpointId)

describe('recording of responses', () => {
  it('one SQL statement records several responses to concurrent webhook attempts', async () => {
    const { open, opened } = aGate()
    receiver.answer = (response) => opened.then(() => response.end())
    await emit(32)
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const running = runDueTasks()
    await expect.poll(() => arrived().length).toBe(32)
    open()
    await running
    const texts = query.mock.calls.map(([asked]) => String((asked as { text?: string }).text ?? asked))
    query.mockRestore()
    expect(await statuses()).toEqual({ delivered: 32 })
    expect(texts.filter(isRecording).length).toBeLessThanOrEqual(16)
    expect(await tasksLeft()).toBe(0)
  })

  it.each(['before', 'after'] as const)(
    'after a crash %s the recording of webhook responses, the events are delivered again with the same ids',
    async (moment) => {
      await emit(12)
      expect(
        await killedAt(
          1,
          moment,
          () => runDueTasks(),
          (_, text) => isRecording(text),
        ),
      ).toBe(true)
      const first = receiver.events().map(({ body }) => body.id)
      expect(first).toHaveLength(12)
      expect(new Set(first).size).toBe(first.length)
      expect(await statuses()).toEqual({ pending: 12 })
      await expireLeases()
      await runDueTasks()
      expect(await statuses()).toEqual({ delivered: 12 })
      const again = receiver.events().map(({ body }) => body.id)
      expect(again.slice(0, 12)).toEqual(first)
      expect(again.slice(12).sort()).toEqual(first.toSorted())
      const attempts = await db().delivery_attempts.findMany({ where: { delivery: { endpoint_id: endpointId } } })
      expect(attempts.map(({ number, status }) => [number, status])).toEqual(Array(12).fill([1, 200]))
      expect(await tasksLeft()).toBe(0)
    },
  )

  it('webhook attempts are repeated if a database outage prevents the recording of their responses', async () => {
    const answers = aGate()
    const outage = aGate()
    receiver.answer = (response) => answers.opened.then(() => response.end())
    await emit(12)
    const posted = vi.mocked(posting.postEvent).mockClear().mock
    const intervals = shortenIntervals()
    onTestFinished(() => intervals.mockRestore())
    const other = new OpenStream('another endpoint', shop.storefrontId)
    other.hold({ taskId: 'another', claimVersion: 1 })
    const running = runDueTasks()
    await expect.poll(() => arrived().length).toBe(12)
    const isAway = new Error('the database is away')
    const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation((asked: unknown) => {
      const text = String((asked as { text?: string }).text ?? asked)
      if (!/^BEGIN/i.test(text)) throw isAway
      return outage.opened.then(() => Promise.reject(isAway))
    })
    answers.open()
    await expect.poll(() => posted.settledResults.filter(({ type }) => type === 'fulfilled').length).toBe(12)
    outage.open()
    await expect(running).rejects.toThrow('the database is away')
    query.mockRestore()
    const beat = vi.spyOn(database, 'beat')
    await expect.poll(() => beat.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(JSON.parse(String(beat.mock.calls[0]?.[1][0]))).toEqual([{ id: 'another', claim_version: 1 }])
    beat.mockRestore()
    other.drop({ taskId: 'another', claimVersion: 1 })
    await other.close()
    await expireLeases()
    await runDueTasks()
    expect(await statuses()).toEqual({ delivered: 12 })
    expect(await tasksLeft()).toBe(0)
  })

  it('if a webhook endpoint is disabled during attempts, the responses to these attempts are recorded, and all pending deliveries are stopped', async () => {
    const { open, opened } = aGate()
    receiver.answer = (response) => opened.then(() => response.end())
    await emit(40)
    const running = runDueTasks()
    await expect.poll(() => arrived().length).toBe(32)
    await update(shop.scope, endpointId, { enabledEvents: [] })
    open()
    await running
    expect(await statuses()).toEqual({ delivered: 32, stopped: 8 })
    expect(arrived().length).toBe(32)
    expect(await tasksLeft()).toBe(0)
  })

  it('a 410 response disables a webhook endpoint, and other failed attempts at the endpoint are not retried', async () => {
    const { open, opened } = aGate()
    receiver.answer = (response, _, n) => opened.then(() => response.writeHead(n === 5 ? 410 : 500).end())
    await emit(32)
    const running = runDueTasks()
    await expect.poll(() => arrived().length).toBe(32)
    open()
    await running
    const { stopped = 0, pending = 0 } = await statuses()
    expect(stopped).toBeGreaterThan(0)
    expect(stopped + pending).toBe(32)
    await db().$executeRaw`UPDATE tasks SET run_at = now() - interval '1 second'`
    await db()
      .$executeRaw`UPDATE deliveries SET next_attempt_at = date_trunc('milliseconds', now()) WHERE status = 'pending'`
    await emit(1)
    await runDueTasks()
    expect(await statuses()).toEqual({ stopped: 32 })
    expect(arrived().length).toBe(32)
    expect(await tasksLeft()).toBe(0)
  })
})

it('resending a delivery during an attempt sends the event again and ignores the response to the first attempt', async () => {
  const { open, opened } = aGate()
  receiver.answer = (response, _, n) => (n === 1 ? opened.then(() => response.writeHead(500).end()) : response.end())
  await emit(1)
  startWorker(tasks.runner, tasks.embedded)
  await expect.poll(() => arrived().length).toBe(1)
  const { id } = await db().deliveries.findFirstOrThrow({ where: { endpoint_id: endpointId } })
  await resendDelivery(id)
  await expect.poll(statuses).toEqual({ delivered: 1 })
  open()
  await stopWorker()
  const [delivery] = await listDeliveries(shop.storefrontId)
  expect(delivery).toMatchObject({
    attempts: 1,
    firstAttemptEndedAt: expect.any(Date),
    log: [{ number: 1, status: 200 }],
  })
  expect(arrived().length).toBe(2)
})

describe('dispatch of an endpoint', () => {
  it('exactly one worker claims the dispatch task of a webhook endpoint, and another worker claims the task after a crash', async () => {
    await emit(3)
    const due = await mine()
    expect(due).toEqual([{ stream: endpointId, ...shop.scope, isTaken: false }])
    const claimed = (await Promise.all(Array.from({ length: 8 }, () => claimStreams(due, 90_000)))).flat()
    expect(claimed.length).toBe(1)
    expect(await mine()).toEqual([{ stream: endpointId, ...shop.scope, isTaken: true }])
    await expireLeases()
    const [next] = await claimStreams(await mine(), 90_000)
    expect(next).toEqual({ ...claimed[0], claimVersion: 2 })
    const [late] = claimed
    if (!next || !late) throw new Error('nothing was claimed')
    await tasks.embedded.run(late) // The slow process, which made the first claim, runs its task now.
    expect(arrived()).toEqual([])
    await tasks.embedded.run(next)
    expect(arrived().sort()).toEqual(['order 0', 'order 1', 'order 2'])
    expect(await tasksLeft()).toBe(0)
  })

  it('the dispatch task of a webhook endpoint extends its own lease and the leases of its attempts', async () => {
    await emit(1)
    await runDueTasks()
    const { open, opened } = aGate()
    receiver.answer = (response) => opened.then(() => response.end())
    await emit(1, 1)
    const intervals = shortenIntervals()
    onTestFinished(() => intervals.mockRestore())
    const running = runDueTasks()
    const leases = async () => {
      const rows = await db().tasks.findMany({ where: { storefront_id: shop.storefrontId }, orderBy: { name: 'asc' } })
      return rows.map(({ leased_until }) => leased_until?.getTime() ?? 0)
    }
    await expect.poll(() => arrived().length).toBe(2)
    const [attempt = 0, own = 0] = await leases()
    await expect.poll(async () => ((await leases())[0] ?? 0) > attempt, { timeout: 30_000 }).toBe(true)
    expect((await leases())[1]).toBeLessThan(own) // A shorter lease has replaced the long lease of the dispatch task.
    open()
    await running
    expect(await statuses()).toEqual({ delivered: 2 })
  })

  it('the webhook dispatch task of a dead process is removed if no delivery is pending', async () => {
    await emit(1)
    await claimStreams(await mine(), 90_000)
    await db().tasks.deleteMany({ where: { stream: endpointId } })
    await db().deliveries.deleteMany({ where: { endpoint_id: endpointId } })
    expect(await mine()).toEqual([])
    await expireLeases()
    expect(await runDueTasks()).toBe(1)
    expect(await tasksLeft()).toBe(0)
  })

  it('a running webhook dispatch task immediately starts the attempt for a new event', async () => {
    const { open, opened } = aGate()
    receiver.answer = (response, _, n) => (n === 1 ? opened.then(() => response.end()) : response.end())
    startWorker(tasks.runner, tasks.embedded)
    await emit(1)
    await expect.poll(() => arrived().length).toBe(1)
    await emit(1, 1)
    await expect.poll(() => arrived().length).toBe(2)
    open()
    await expect.poll(statuses).toEqual({ delivered: 2 })
  })

  it('in a process without a worker, a running webhook dispatch task immediately starts the attempt for a new event', async () => {
    const { open, opened } = aGate()
    receiver.answer = (response, _, n) => (n === 1 ? opened.then(() => response.end()) : response.end())
    await emit(1)
    const running = runDueTasks()
    await expect.poll(() => arrived().length).toBe(1)
    await emit(1, 1)
    await expect.poll(() => arrived().length).toBe(2)
    open()
    await running
    await expect.poll(statuses).toEqual({ delivered: 2 })
  })

  it('when the worker stops, the webhook dispatch task records its attempts in progress and ends', async () => {
    const { open, opened } = aGate()
    receiver.answer = (response) => opened.then(() => response.end())
    await emit(40)
    startWorker(tasks.runner, tasks.embedded)
    await expect.poll(() => arrived().length).toBe(32)
    const stopped = stopWorker()
    open()
    await stopped
    expect(await statuses()).toEqual({ delivered: 32, pending: 8 })
    startWorker(tasks.runner, tasks.embedded)
    await expect.poll(statuses).toEqual({ delivered: 40 })
  })
})
