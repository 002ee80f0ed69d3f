import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { housekeeping } from '../../server/housekeeping.ts'
import { tasks } from '../../server/jobs.ts'
import { amount } from '../../testing/amount.ts'
import { killedAt, moments, places } from '../../testing/crash.ts'
import { aGate } from '../../testing/gate.ts'
import { deliverPatiently } from '../../testing/patience.ts'
import { answered, aReceiver, isSigned } from '../../testing/receiver.ts'
import { aShop, runDueTasks, type Shop, stopClock } from '../../testing/shop.ts'
import { advanceByDuration, showClock } from '../../workflows/test-helpers/operations.ts'
import { transact } from '../events/transact.ts'
import { register } from './operations.ts'
import { recordAttempts } from './record.ts'
import { waits } from './rules/retry-delays.ts'

deliverPatiently()
const secret = 'whsec_0123456789'
let shop: Shop
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeEach(async () => {
  await receiver?.close()
  await db().tasks.deleteMany()
  shop = await aShop()
  receiver = await aReceiver()
  await register(shop.scope, { url: receiver.url, secret })
})

afterAll(() => receiver.close())
const emit = (id = 'order_1') => transact(shop.scope, (tx) => tx.emit({ name: 'order.paid', object: { id } }))

const delivery = () =>
  db().deliveries.findFirstOrThrow({ where: { storefront_id: shop.storefrontId }, orderBy: { id: 'asc' } })

const attempts = () =>
  db().delivery_attempts.findMany({
    where: { delivery: { storefront_id: shop.storefrontId } },
    orderBy: { number: 'asc' },
  })

const task = () => db().tasks.findFirst({ where: { storefront_id: shop.storefrontId } })
const shown = async () => Date.parse((await showClock(shop.storefrontId)).now)

/** Advances the test clock to the next attempt. Returns the time of the attempt and the seconds since `from`. */
async function toNextAttempt(from: Date): Promise<{ at: Date; waited: number }> {
  const { next_attempt_at } = await delivery()
  if (!next_attempt_at) throw new Error('no attempt is planned')
  await advanceByDuration(shop.scope, { to: next_attempt_at }, tasks.embedded)
  return { at: next_attempt_at, waited: (next_attempt_at.getTime() - from.getTime()) / 1000 }
}

describe('attempts', () => {
  it('a webhook attempt sends a signature, the event id, and the bytes that GET /v1/webhook-events/{id} returns', async () => {
    await emit()
    await runDueTasks()
    const [sent] = receiver.events()
    if (!sent) throw new Error('nothing came')
    expect(isSigned(sent, secret)).toBe(true)
    expect(sent.headers).toMatchObject({
      'service-event-id': sent.body.id,
      'content-type': 'application/json; charset=utf-8',
    })
    const stored = await db().events.findFirstOrThrow({ where: { id: sent.body.id } })
    expect(sent.text).toBe(stored.body)
    expect(await delivery()).toMatchObject({ status: 'delivered', attempts: 1, next_attempt_at: null })
    expect(await attempts()).toMatchObject([{ number: 1, status: 200, error: null, answer: '' }])
    expect(await task()).toBeNull()
  })

  it.each([200, 201, 204, 299])(
    'a webhook attempt with the response status %i marks the event as delivered',
    async (status) => {
      receiver.answer = answered(status)
      await emit()
      await runDueTasks()
      expect((await delivery()).status).toBe('delivered')
    },
  )

  it.each([302, 400, 404, 429, 500])('a webhook attempt with the response status %i is retried', async (status) => {
    receiver.answer = answered(status, { Location: receiver.url }, 'No')
    await emit()
    await runDueTasks()
    expect(await delivery()).toMatchObject({ status: 'pending', attempts: 1 })
    expect(await attempts()).toMatchObject([{ status, answer: 'No' }])
    expect(receiver.events().length).toBe(1)
  })

  it('if a webhook receiver is unreachable, the attempt is recorded with the reason', async () => {
    await receiver.close()
    await emit()
    await runDueTasks()
    expect(await attempts()).toMatchObject([{ status: null, error: 'The connection was refused.', answer: null }])
    expect((await delivery()).status).toBe('pending')
  })

  it('a webhook attempt stores at most 2 kB of the response', async () => {
    receiver.answer = answered(200, {}, 'ab'.repeat(3_000))
    await emit()
    await runDueTasks()
    expect((await attempts()).map(({ answer }) => answer?.length)).toEqual([2_048])
  })

  it('recording a webhook attempt again after an uncertain commit does not count the attempt twice', async () => {
    await emit()
    const { id } = await delivery()
    const { id: taskId = '', claim_version: claimVersion = 0 } = (await task()) ?? {}
    const made = {
      deliveryId: id,
      claim: { taskId, claimVersion },
      before: 0,
      isBeside: false,
      url: receiver.url,
      startedAt: new Date(),
      durationMs: 1,
      signature: '',
      reply: { status: 500, text: '', retryAfter: null },
    }
    const record = () => transact(shop.scope, (tx) => recordAttempts(tx, [made]))
    await record()
    const after = await delivery()
    await record()
    expect(await delivery()).toEqual(after)
    expect(await attempts()).toHaveLength(1)
  })

  it('a webhook attempt is deleted after 90 days', async () => {
    await emit()
    await runDueTasks()
    await housekeeping()
    expect((await attempts()).length).toBe(1)
    await db().$executeRaw`UPDATE delivery_attempts SET started_at = started_at - interval '91 days'`
    await housekeeping()
    expect(await attempts()).toEqual([])
  })

  it.each(moments)(
    'if the process dies %s any query of a webhook attempt, the event arrives once or twice and is recorded as delivered',
    async (moment) => {
      let n = 0
      for (let killed = true; killed; ) {
        n++
        await emit(`order ${n}`)
        const before = receiver.events().length
        killed = await killedAt(n, moment, () => runDueTasks(), places())
        await db()
          .$executeRaw`UPDATE tasks SET run_at = run_at - interval '90 seconds', leased_until = leased_until - interval '90 seconds'`
        await runDueTasks()
        const mine = receiver
          .events()
          .slice(before)
          .map(({ body }) => body.entityId)
        expect(new Set(mine)).toEqual(new Set([`order ${n}`]))
        expect(mine.length).toBeLessThanOrEqual(2) // A crash can lose the response, so the event can arrive twice.
        expect(
          await db().deliveries.count({ where: { storefront_id: shop.storefrontId, status: { not: 'delivered' } } }),
        ).toBe(0)
      }
      expect(n).toBeGreaterThan(amount({ short: 3, long: 15 }))
    },
  )
})

describe('schedule', () => {
  it('a webhook delivery makes ten attempts at their scheduled times on the storefront’s clock', async () => {
    receiver.answer = answered(500)
    await emit()
    await runDueTasks()
    let at = (await delivery()).started_at ?? new Date(0)
    for (const [index, wait] of waits.entries()) {
      const next = await toNextAttempt(at)
      expect(next.waited).toBeGreaterThanOrEqual(wait)
      expect(next.waited).toBeLessThanOrEqual(wait * 1.1 + (index === 0 ? 10 : 0))
      expect((await delivery()).attempts).toBe(index + 2)
      at = next.at
    }
    expect(await delivery()).toMatchObject({ status: 'failed', attempts: 10, next_attempt_at: null })
    expect(await task()).toBeNull()
    expect(receiver.events().length).toBe(10)
    expect(new Set(receiver.events().map(({ headers }) => headers['service-event-id'])).size).toBe(1)
    expect(new Set(receiver.events().map(({ text }) => text)).size).toBe(1)
    for (const sent of receiver.events()) expect(isSigned(sent, secret)).toBe(true)
  })

  it('one advance of the test clock makes all attempts of a webhook delivery', async () => {
    receiver.answer = answered(500)
    await emit()
    expect(await advanceByDuration(shop.scope, { by: { days: 5 } }, tasks.embedded)).toMatchObject({
      ran: 10,
      remaining: 0,
    })
    expect(await delivery()).toMatchObject({ status: 'failed', attempts: 10 })
  })

  it('no webhook attempt follows the first successful attempt of a delivery', async () => {
    receiver.answer = (response, _, n) => response.writeHead(n < 3 ? 500 : 200).end()
    await emit()
    await advanceByDuration(shop.scope, { by: { days: 5 } }, tasks.embedded)
    expect((await attempts()).map(({ status }) => status)).toEqual([500, 500, 200])
    expect((await delivery()).status).toBe('delivered')
  })

  it.each([
    ['120', 120],
    ['1', 5],
    ['nonsense', 5],
    ['99999999999', 24 * 3600],
  ])(
    'with a test clock, after a response with "Retry-After: %s", the next webhook attempt waits at least %s real seconds',
    async (header, asked) => {
      receiver.answer = answered(503, { 'Retry-After': header })
      await advanceByDuration(shop.scope, { by: { days: 3 } }, tasks.embedded)
      await emit()
      await runDueTasks()
      const [attempt] = await attempts()
      const answeredAt = (attempt?.started_at.getTime() ?? 0) + (attempt?.duration_ms ?? 0)
      const { due_at, run_at } = (await task()) ?? { due_at: new Date(0), run_at: new Date(0) }
      expect(run_at.getTime()).toBeGreaterThanOrEqual(answeredAt + asked * 1000)
      expect(due_at).toEqual((await delivery()).next_attempt_at)
      expect(due_at.getTime() - run_at.getTime()).toBeGreaterThan(2 * 86_400_000)
    },
  )

  it.each([
    ['120', 120],
    ['86400', 86_400],
    ['999999999', 86_400],
    ['Fri, 20 Nov 2099 10:02:00 GMT', 86_400],
  ])(
    'the wait for Retry-After: %s is measured on the storefront’s clock, with at most 10 % jitter',
    async (header, asked) => {
      receiver.answer = answered(503, { 'Retry-After': header })
      await stopClock(shop)
      const from = new Date(await shown())
      await emit()
      await runDueTasks()
      const waited = ((await delivery()).next_attempt_at?.getTime() ?? 0) - from.getTime()
      expect(waited).toBeGreaterThanOrEqual(asked * 1000)
      expect(waited).toBeLessThanOrEqual(asked * 1100)
    },
  )

  it('a test clock advance delivers all webhook events, and the events of one entity in order', async () => {
    for (let n = 0; n < 12; n++) await emit(n % 2 === 0 ? 'order a' : `order ${n}`)
    expect(await advanceByDuration(shop.scope, { by: { hours: 1 } }, tasks.embedded)).toMatchObject({
      ran: 12,
      remaining: 0,
    })
    const ids = receiver
      .events()
      .filter(({ body }) => body.entityId === 'order a')
      .map(({ body }) => body.id)
    expect(ids).toEqual([...ids].sort())
    expect(receiver.events().length).toBe(12)
  })

  it('a slow webhook receiver does not delay another receiver during a test clock advance', async () => {
    const { open, opened } = aGate()
    const quick = await aReceiver()
    await register(shop.scope, { url: quick.url, secret })
    receiver.answer = (response) => opened.then(() => response.end())
    for (let n = 0; n < 12; n++) await emit(`order ${n}`)
    const moving = advanceByDuration(shop.scope, { by: { hours: 1 } }, tasks.embedded)
    await expect.poll(() => quick.events().length).toBe(12)
    open()
    expect(await moving).toMatchObject({ ran: 24, remaining: 0 })
    await quick.close()
  })
})
