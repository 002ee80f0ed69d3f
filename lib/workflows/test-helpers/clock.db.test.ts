import { describe, expect, it } from 'vitest'
import { toWire } from '../../kernel/moment.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { transact } from '../../modules/events/transact.ts'
import { db } from '../../platform/db/db.ts'
import { fingerprint, identityOf } from '../../platform/http/idempotency.ts'
import { Reschedule } from '../../platform/jobs/tasks.ts'
import { startWorker } from '../../platform/jobs/worker.ts'
import { tasks as appTasks } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { clockTimers, day, hour, hours, minute, other, second, timer } from '../../testing/clock-timers.ts'
import { killedAt } from '../../testing/crash.ts'
import { aCheckout, aProduct } from '../../testing/factories.ts'
import { aGate } from '../../testing/gate.ts'
import { aShop } from '../../testing/shop.ts'
import { advanceByDuration, advanceClock, showClock } from './operations.ts'

const timers = clockTimers()
const { clock, put, row, runner } = timers

describe('an advance of the clock', () => {
  it('a clock advance runs due tasks in order, each at its own time, and ends at the target time', async () => {
    await put('c', 3 * hour)
    await put('a', hour)
    await put('late', 25 * hour)
    await put('b', 2 * hour)
    await put('b too', 2 * hour)
    const answer = await advanceByDuration(timers.tenant, { to: timers.at(day) }, runner)
    expect(timers.ran).toEqual([
      ['a', 3_600],
      ['b', 7_200],
      ['b too', 7_200],
      ['c', 10_800],
    ])
    expect(answer).toMatchObject({ ran: 4, remaining: 0 })
    expect((await clock()).getTime() - timers.now.getTime() - day).toBeLessThan(30 * second)
    await advanceByDuration(timers.tenant, hours(1), runner)
    expect(timers.ran.at(-1)).toEqual(['late', 90_000])
  })

  it('a clock advance runs new tasks and rescheduled tasks that are due before the target time', async () => {
    timers.operation = async (_, name) => {
      if (name === 'first') await put('made by the first', 90 * minute)
      const times = timers.ran.filter(([each]) => each === name).length
      return name === 'daily' && times < 3 ? new Reschedule(timers.at((times + 1) * day)) : undefined
    }
    await put('daily', day)
    await put('first', hour)
    expect(await advanceByDuration(timers.tenant, { by: { days: 4 } }, runner)).toMatchObject({ ran: 5, remaining: 0 })
    expect(timers.ran).toEqual([
      ['first', 3_600],
      ['made by the first', 5_400],
      ['daily', 86_400],
      ['daily', 172_800],
      ['daily', 259_200],
    ])
  })

  it('a clock advance to the exact time of a task runs the task', async () => {
    await put('a', hour)
    await advanceByDuration(timers.tenant, { to: timers.at(hour) }, runner)
    expect(timers.ran).toEqual([['a', 3_600]])
  })

  it('a clock advance does not run tasks of other storefronts, of live mode, or of the real clock', async () => {
    const elsewhere = await aShop({ name: 'Another one' })
    const inAnHour = timers.at(hour)
    for (const each of [elsewhere.scope, { ...timers.tenant, testmode: false }]) {
      await transact(each, ({ enqueue }) =>
        enqueue(timer, { key: `${each.storefrontId} ${each.testmode}`, data: { name: 'wrong' }, dueAt: inAnHour }),
      )
    }
    await transact(timers.tenant, ({ enqueue }) =>
      enqueue(other, { key: timers.shop.storefrontId, data: {}, dueAt: inAnHour }),
    )
    expect(await advanceByDuration(timers.tenant, hours(24), runner)).toMatchObject({ ran: 0, remaining: 0 })
    expect(
      Math.abs(new Date((await showClock(elsewhere.storefrontId)).now).getTime() - timers.now.getTime()),
    ).toBeLessThan(30 * second)
    const waiting = await db().tasks.findMany({
      where: { storefront_id: { in: [timers.shop.storefrontId, elsewhere.storefrontId] } },
    })
    expect(waiting.map(({ run_at }) => run_at)).toEqual([inAnHour, inAnHour, inAnHour])
  })

  it('after an advance, the test clock runs at normal speed', async () => {
    await put('a', 25 * hour)
    await advanceByDuration(timers.tenant, hours(24), runner)
    await put('b', 25 * hour)
    const waiting = await db().tasks.findMany({ where: { storefront_id: timers.shop.storefrontId } })
    expect(waiting).toHaveLength(2)
    for (const { run_at } of waiting) {
      const inMs = run_at.getTime() - Date.now()
      expect(inMs).toBeGreaterThan(hour - 30 * second)
      expect(inMs).toBeLessThanOrEqual(hour + second)
    }
  })

  it('an advance of the clock to an earlier time or beyond the year 2999 is refused, and the error names the field', async () => {
    const to = timers.at(-minute)
    await expect(advanceByDuration(timers.tenant, { to }, runner)).rejects.toMatchObject({
      code: 'validation_failed',
      on: { to: [expect.stringContaining('cannot be moved back')] },
    })
    await expect(advanceByDuration(timers.tenant, { by: { years: 1_000 } }, runner)).rejects.toMatchObject({
      on: { by: [expect.any(String)] },
    })
    const end = new Date('2999-12-31T23:59:58Z')
    expect(
      new Date((await advanceByDuration(timers.tenant, { to: end }, runner)).now).getTime(),
    ).toBeGreaterThanOrEqual(end.getTime())
    await expect(advanceByDuration(timers.tenant, { by: { seconds: 60 } }, runner)).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  it('the test clock never goes back', async () => {
    // Responses to concurrent reads can arrive in any sequence. If a read ends before another read begins, the later read must not return an earlier time.
    const looks: { begun: number; answered: number; shown: number }[] = []
    let moment = 0
    const look = async () => {
      const begun = ++moment
      const shown = (await clock()).getTime()
      looks.push({ begun, answered: ++moment, shown })
    }
    timers.operation = look
    for (let n = 1; n <= 20; n++) await put(`timer ${n}`, n * hour)
    let isOver = false
    const moving = advanceByDuration(timers.tenant, hours(24), runner).finally(() => {
      isOver = true
    })
    const looking = (async () => {
      while (!isOver) await look()
    })()
    await Promise.all([moving, looking])
    await look()
    const back = looks.filter(({ begun, shown }) => looks.some((each) => each.answered < begun && each.shown > shown))
    expect(back).toEqual([])
    expect(new Set(looks.map(({ shown }) => shown)).size).toBeGreaterThan(20)
  })
})

describe('a long advance', () => {
  it('a clock advance responds at its time limit, and the remaining tasks run in the background', async () => {
    await put('a', hour)
    await put('b', 2 * hour)
    await put('c', 3 * hour)
    expect(await advanceByDuration(timers.tenant, hours(24), runner, 0)).toMatchObject({ ran: 0, remaining: 3 })
    await expect(advanceByDuration(timers.tenant, hours(1), runner)).rejects.toMatchObject({ code: 'clock_busy' })
    startWorker(runner, runner)
    await expect.poll(async () => (await row()).advancing_to).toBeNull()
    expect(timers.ran).toEqual([
      ['a', 3_600],
      ['b', 7_200],
      ['c', 10_800],
    ])
    expect((await clock()).getTime() - timers.now.getTime()).toBeGreaterThanOrEqual(day)
  })

  it('a repeated request for a clock advance waits for the advance in another process', async () => {
    const reached = aGate()
    const proceed = aGate()
    timers.operation = async () => {
      reached.open()
      await proceed.opened
    }
    await put('a', hour)
    const key = { requestIdentity: 'the same' }
    // A repeated request with the same key takes over the key, so the response of the first call is not stored.
    const overtaken = async () => {
      throw new Refusal('idempotency_in_progress')
    }
    const first = advanceByDuration({ ...timers.tenant, ...key, answer: overtaken }, hours(24), runner)
    await reached.opened
    const again = advanceByDuration({ ...timers.tenant, ...key }, hours(24), runner)
    proceed.open()
    await expect(first).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    expect(await again).toMatchObject({ remaining: 0 })
    expect(timers.ran).toEqual([['a', 3_600]])
    expect((await clock()).getTime() - timers.now.getTime()).toBeLessThan(25 * hour)
  })
})

describe('the endpoints for the test clock', () => {
  const path = '/v1/test-helpers/clock'
  const headers = { 'Idempotency-Key': 'a-move' }

  it('the clock endpoints show and advance the clock, and a repeated request does not advance the clock again', async () => {
    const key = timers.shop.testKey
    const before = await send(`GET ${path}`, { key })
    expect(before.body).toEqual({ now: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) })
    const moved = await send(`POST ${path}/advance`, { key, body: { by: 'P1M' }, headers })
    const replayed = await send(`POST ${path}/advance`, { key, body: { by: 'P1M' }, headers })
    expect(replayed.body).toEqual(moved.body)
    const days = (Date.parse((await send(`GET ${path}`, { key })).body.now) - Date.parse(before.body.now)) / day
    expect(days).toBeLessThan(32)
    expect(days).toBeGreaterThanOrEqual(28)
  })

  it('a repeated request for a clock advance moves the clock again after its idempotency key has expired', async () => {
    const move = () => send(`POST ${path}/advance`, { key: timers.shop.testKey, body: { by: 'P1D' }, headers })
    await move()
    await db().$executeRaw`UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'`
    await move()
    expect((await clock()).getTime() - timers.now.getTime()).toBeGreaterThanOrEqual(2 * day)
  })

  it('a clock advance whose response was lost does not block another advance with the same idempotency key', async () => {
    const move = (by: string) => send(`POST ${path}/advance`, { key: timers.shop.testKey, body: { by }, headers })
    await move('P1D')
    const { moved_by: forgotten } = await row()
    expect(forgotten).toBeNull()
    // Recreates the state after the process of the first request advanced the clock, but lost the connection to the
    // database before it could respond.
    const lost = fingerprint('POST', `${path}/advance`, new TextEncoder().encode(JSON.stringify({ by: 'P1D' })))
    const movedBy = identityOf({ key: headers['Idempotency-Key'], fingerprint: lost })
    await db().clocks.update({ where: { storefront_id: timers.shop.storefrontId }, data: { moved_by: movedBy } })
    await db().idempotency_keys.deleteMany({ where: { storefront_id: timers.shop.storefrontId } })
    await move('P7D')
    expect((await clock()).getTime() - timers.now.getTime()).toBeGreaterThanOrEqual(8 * day)
    // A repetition of the first request does not advance the clock again.
    await db().clocks.update({ where: { storefront_id: timers.shop.storefrontId }, data: { moved_by: movedBy } })
    await db().idempotency_keys.deleteMany({ where: { storefront_id: timers.shop.storefrontId } })
    await move('P1D')
    expect((await clock()).getTime() - timers.now.getTime()).toBeLessThan(9 * day)
  })

  it('a clock advance with an expired idempotency key moves the clock again, even if the process died after storing the response', async () => {
    const move = () => send(`POST ${path}/advance`, { key: timers.shop.testKey, body: { by: 'P1D' }, headers })
    let isStored = false
    const afterAnswer = (_: unknown, text: string) => {
      if (isStored) return true
      isStored = /UPDATE idempotency_keys SET status/.test(text)
      return false
    }
    await killedAt(2, 'before', move, afterAnswer)
    expect(await row()).toMatchObject({ advancing_to: null, moved_by: null })
    await db().$executeRaw`UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'`
    await move()
    expect((await clock()).getTime() - timers.now.getTime()).toBeGreaterThanOrEqual(2 * day)
  })

  it.each([
    [{}, 'by'],
    [{ by: 'P1D', to: '2027-01-31T00:00:00Z' }, 'by'],
    [{ by: '25h' }, 'by'],
    [{ by: '-P1D' }, 'by'],
    [{ by: 'P1000Y' }, 'by'],
    [{ by: 86_400 }, 'by'],
    [{ to: '2020-01-01T00:00:00Z' }, 'to'],
    [{ to: '3000-01-01T00:00:00Z' }, 'to'],
    [{ to: '2027-01-31' }, 'to'],
    [{ to: '2027-02-30T00:00:00Z' }, 'to'],
  ])('a clock advance with %j is refused with an error on the field %s', async (body, field) => {
    const reply = await send(`POST ${path}/advance`, { key: timers.shop.testKey, body })
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]])
    expect(await row()).toMatchObject({ ahead_seconds: 0n, advancing_to: null })
  })

  it('the endpoints for the test clock are refused in live mode', async () => {
    expect((await send(`GET ${path}`, { key: timers.shop.liveKey })).status).toBe(403)
  })
})

describe('the timers of test mode', () => {
  it('a checkout expires at its expiry time during a clock advance of one year', async () => {
    const key = timers.shop.testKey
    const product = await aProduct(key)
    const checkout = await aCheckout(key, product.id)
    await advanceByDuration(timers.tenant, { by: { hours: 23, minutes: 58 } }, appTasks.embedded)
    expect((await send(`GET /v1/checkouts/${checkout.id}`, { key })).body.status).toBe('created')
    await advanceByDuration(timers.tenant, { by: { years: 1 } }, appTasks.embedded)
    expect((await send(`GET /v1/checkouts/${checkout.id}`, { key })).body.status).toBe('expired')
    const event = await db().events.findFirstOrThrow({ where: { entity_id: checkout.id, name: 'checkout.expired' } })
    expect(toWire(event.created_at)).toBe(checkout.expiresAt)
  })
})

describe('the commands for the test clock', () => {
  it.each(['25h', 'PT25H', '90m', '30d', '2w'])('the command line advances the clock by %s', async (typed) => {
    expect(await advanceClock(timers.shop.storefrontId, typed, runner)).toMatchObject({ ran: 0, remaining: 0 })
  })

  it('the command line refuses an invalid duration and an unknown storefront', async () => {
    await expect(advanceClock(timers.shop.storefrontId, 'soon', runner)).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await expect(advanceClock('storefront_none', '1h', runner)).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
