import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { advanceClock as advanceEndpoint } from '../../modules/test-helpers/contract.ts'
import { db } from '../../platform/db/db.ts'
import { fingerprint, identityOf } from '../../platform/http/idempotency.ts'
import { route as routeOf } from '../../platform/http/route.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import type { TaskRunner } from '../../platform/jobs/task-runner.ts'
import { job, Reschedule, type TaskContext, task } from '../../platform/jobs/tasks.ts'
import { resumeAdvances } from '../../platform/jobs/test-clock.ts'
import { claimDueTasks, startWorker, stopWorker } from '../../platform/jobs/worker.ts'
import { tasks as appTasks } from '../../server/jobs.ts'
import { amount } from '../../testing/amount.ts'
import { send } from '../../testing/api.ts'
import { killedAt, moments, places } from '../../testing/crash.ts'
import { aCheckout, aProduct } from '../../testing/factories.ts'
import { aGate } from '../../testing/gate.ts'
import { aShop, call, type Shop } from '../../testing/shop.ts'
import { advanceByDuration, advanceClock, showClock, stopClock } from './operations.ts'

const timer = task('test.timer', z.object({ name: z.string() }))
const free = task('test.free', z.object({ name: z.string() }), { concurrent: true })
const other = task('test.other', z.object({}), { clock: 'real' })
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

let shop: Shop
let tenant: Shop['scope']
let now: Date
/** The timers that ran, each with the seconds on the clock after `now`. */
let ran: [string, number][]
let operation: (tx: Transaction, name: string) => Promise<unknown>

const run = (taskScope: TaskContext, { name }: { name: string }) =>
  transact(taskScope, async (tx) => {
    ran.push([name, (tx.now.getTime() - now.getTime()) / second])
    return operation(tx, name)
  })
const jobs = new Map([timer, free, other].map((each) => [each.name, job<{ name: string }>(each as typeof timer, run)]))
const runner: TaskRunner = {
  leaseMs: 90_000,
  run: async (task) => {
    await runTask(jobs, task)
  },
}

const put = (name: string, afterMs: number) =>
  transact(tenant, ({ enqueue }) =>
    enqueue(timer, { key: `${shop.storefrontId} ${name}`, data: { name }, dueAt: new Date(now.getTime() + afterMs) }),
  )
const clock = async () => new Date((await showClock(shop.storefrontId)).now)
const row = () => db().clocks.findUniqueOrThrow({ where: { storefront_id: shop.storefrontId } })
const by = (hours: number) => ({ by: { hours } })
const failing = () => Promise.reject(new Error('the timer is broken'))

beforeEach(async () => {
  await db().tasks.deleteMany()
  await db().clocks.updateMany({
    data: { advancing_to: null, frozen_at: null, runner_id: null, advance_leased_until: null },
  })
  shop = await aShop()
  tenant = shop.scope
  now = await clock()
  ran = []
  operation = async () => undefined
})
afterEach(stopWorker)

describe('an advance of the clock', () => {
  it('a clock advance runs due tasks in order, each at its own time, and ends at the target time', async () => {
    await put('c', 3 * hour)
    await put('a', hour)
    await put('late', 25 * hour)
    await put('b', 2 * hour)
    await put('b too', 2 * hour)
    const answer = await advanceByDuration(tenant, { to: new Date(now.getTime() + day) }, runner)
    expect(ran).toEqual([
      ['a', 3_600],
      ['b', 7_200],
      ['b too', 7_200],
      ['c', 10_800],
    ])
    expect(answer).toMatchObject({ ran: 4, remaining: 0 })
    expect((await clock()).getTime() - now.getTime() - day).toBeLessThan(30 * second)
    await advanceByDuration(tenant, by(1), runner)
    expect(ran.at(-1)).toEqual(['late', 90_000])
  })

  it('a clock advance runs new tasks and rescheduled tasks that are due before the target time', async () => {
    operation = async (_, name) => {
      if (name === 'first') await put('made by the first', 90 * minute)
      const times = ran.filter(([each]) => each === name).length
      return name === 'daily' && times < 3 ? new Reschedule(new Date(now.getTime() + (times + 1) * day)) : undefined
    }
    await put('daily', day)
    await put('first', hour)
    expect(await advanceByDuration(tenant, { by: { days: 4 } }, runner)).toMatchObject({ ran: 5, remaining: 0 })
    expect(ran).toEqual([
      ['first', 3_600],
      ['made by the first', 5_400],
      ['daily', 86_400],
      ['daily', 172_800],
      ['daily', 259_200],
    ])
  })

  it('a clock advance to the exact time of a task runs the task', async () => {
    await put('a', hour)
    await advanceByDuration(tenant, { to: new Date(now.getTime() + hour) }, runner)
    expect(ran).toEqual([['a', 3_600]])
  })

  it('a clock advance does not run tasks of other storefronts, of live mode, or of the real clock', async () => {
    const elsewhere = await aShop({ name: 'Another one' })
    const inAnHour = new Date(now.getTime() + hour)
    for (const each of [elsewhere.scope, { ...tenant, testmode: false }]) {
      await transact(each, ({ enqueue }) =>
        enqueue(timer, { key: `${each.storefrontId} ${each.testmode}`, data: { name: 'wrong' }, dueAt: inAnHour }),
      )
    }
    await transact(tenant, ({ enqueue }) => enqueue(other, { key: shop.storefrontId, data: {}, dueAt: inAnHour }))
    expect(await advanceByDuration(tenant, by(24), runner)).toMatchObject({ ran: 0, remaining: 0 })
    expect(Math.abs(new Date((await showClock(elsewhere.storefrontId)).now).getTime() - now.getTime())).toBeLessThan(
      30 * second,
    )
    const waiting = await db().tasks.findMany({
      where: { storefront_id: { in: [shop.storefrontId, elsewhere.storefrontId] } },
    })
    expect(waiting.map(({ run_at }) => run_at)).toEqual([inAnHour, inAnHour, inAnHour])
  })

  it('after an advance, the test clock runs at normal speed', async () => {
    await put('a', 25 * hour)
    await advanceByDuration(tenant, by(24), runner)
    await put('b', 25 * hour)
    const waiting = await db().tasks.findMany({ where: { storefront_id: shop.storefrontId } })
    expect(waiting).toHaveLength(2)
    for (const { run_at } of waiting) {
      const inMs = run_at.getTime() - Date.now()
      expect(inMs).toBeGreaterThan(hour - 30 * second)
      expect(inMs).toBeLessThanOrEqual(hour + second)
    }
  })

  it('a clock advance to the past or past the year 2999 is refused with an error on its field', async () => {
    const to = new Date(now.getTime() - minute)
    await expect(advanceByDuration(tenant, { to }, runner)).rejects.toMatchObject({
      code: 'validation_failed',
      on: { to: [expect.stringContaining('cannot be moved back')] },
    })
    await expect(advanceByDuration(tenant, { by: { years: 1_000 } }, runner)).rejects.toMatchObject({
      on: { by: [expect.any(String)] },
    })
    const end = new Date('2999-12-31T23:59:58Z')
    expect(new Date((await advanceByDuration(tenant, { to: end }, runner)).now).getTime()).toBeGreaterThanOrEqual(
      end.getTime(),
    )
    await expect(advanceByDuration(tenant, { by: { seconds: 60 } }, runner)).rejects.toMatchObject({
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
    operation = look
    for (let n = 1; n <= 20; n++) await put(`timer ${n}`, n * hour)
    let isOver = false
    const moving = advanceByDuration(tenant, by(24), runner).finally(() => {
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

describe('two advances of one clock', () => {
  it('if two clock advances are concurrent, one moves the clock and the other gets 409', async () => {
    const { open, opened } = aGate()
    operation = () => opened
    await put('a', hour)
    const moves = [1, 2].map(() => advanceByDuration(tenant, by(24), runner))
    const refusal = await Promise.any(
      moves.map((move) =>
        move.then(
          () => Promise.reject(),
          (error: unknown) => error,
        ),
      ),
    )
    expect(refusal).toMatchObject({ code: 'clock_busy' })
    open()
    expect((await Promise.allSettled(moves)).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(ran).toEqual([['a', 3_600]])
    expect((await clock()).getTime() - now.getTime()).toBeLessThan(25 * hour)
  })

  it('two consecutive clock advances move the clock by the sum of their durations', async () => {
    await advanceByDuration(tenant, by(24), runner)
    await advanceByDuration(tenant, by(24), runner)
    const moved = (await clock()).getTime() - now.getTime()
    expect(moved).toBeGreaterThanOrEqual(2 * day)
    expect(moved).toBeLessThan(2 * day + minute)
  })
})

describe('a long advance', () => {
  it('a clock advance responds at its time limit, and the remaining tasks run in the background', async () => {
    await put('a', hour)
    await put('b', 2 * hour)
    await put('c', 3 * hour)
    expect(await advanceByDuration(tenant, by(24), runner, 0)).toMatchObject({ ran: 0, remaining: 3 })
    await expect(advanceByDuration(tenant, by(1), runner)).rejects.toMatchObject({ code: 'clock_busy' })
    startWorker(runner, runner)
    await expect.poll(async () => (await row()).advancing_to).toBeNull()
    expect(ran).toEqual([
      ['a', 3_600],
      ['b', 7_200],
      ['c', 10_800],
    ])
    expect((await clock()).getTime() - now.getTime()).toBeGreaterThanOrEqual(day)
  })

  it('a repeated request for a clock advance waits for the advance in another process', async () => {
    const reached = aGate()
    const proceed = aGate()
    operation = async () => {
      reached.open()
      await proceed.opened
    }
    await put('a', hour)
    const key = { requestIdentity: 'the same' }
    // A repeated request with the same key takes over the key, so the response of the first call is not stored.
    const overtaken = async () => {
      throw new Refusal('idempotency_in_progress')
    }
    const first = advanceByDuration({ ...tenant, ...key, answer: overtaken }, by(24), runner)
    await reached.opened
    const again = advanceByDuration({ ...tenant, ...key }, by(24), runner)
    proceed.open()
    await expect(first).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    expect(await again).toMatchObject({ remaining: 0 })
    expect(ran).toEqual([['a', 3_600]])
    expect((await clock()).getTime() - now.getTime()).toBeLessThan(25 * hour)
  })
})

describe('stopping an advance', () => {
  it('a stopped clock advance ends at its current time, and the clock continues from this time', async () => {
    let stopping: Promise<unknown> | undefined
    operation = async () => {
      if (ran.length === 3) stopping = stopClock(shop.storefrontId, runner)
      return new Reschedule(new Date(now.getTime() + (ran.length + 1) * day))
    }
    await put('daily', day)
    const answer = await advanceByDuration(tenant, { to: new Date('2999-01-01T00:00:00Z') }, runner)
    expect(answer.remaining).toBe(0)
    const reached = now.getTime() + ran.length * day
    expect((await clock()).getTime() - reached).toBeGreaterThanOrEqual(0)
    expect((await clock()).getTime() - reached).toBeLessThan(minute)
    expect(await stopping).toMatchObject({ remaining: 0 })
    expect(await row()).toMatchObject({ advancing_to: null, frozen_at: null })
    const [next] = await db().tasks.findMany({ where: { storefront_id: shop.storefrontId } })
    expect(Math.abs((next?.run_at.getTime() ?? 0) - Date.now() - day)).toBeLessThan(minute)
  })

  it('a clock advance can be stopped after its process has died', async () => {
    await put('a', hour)
    await advanceByDuration(tenant, by(24), runner, 0)
    expect(await stopClock(shop.storefrontId, runner)).toMatchObject({ ran: 0, remaining: 0 })
    expect((await clock()).getTime() - now.getTime()).toBeLessThan(minute)
    expect(ran).toEqual([])
  })

  it('a request to stop a clock advance is refused if no advance is running', async () => {
    const refused = stopClock(shop.storefrontId, runner)
    await expect(refused).rejects.toMatchObject({ on: { storefront: ['No advance of the test clock is running.'] } })
  })
})

describe('an advance whose process dies', () => {
  const route = routeOf(advanceEndpoint, ({ context, body }) => advanceByDuration(context, body, runner))
  const headers = { 'Idempotency-Key': 'the-same' }
  const post = () => call(route, 'POST', advanceEndpoint.path, { key: shop.testKey, body: { by: 'PT24H' }, headers })
  const leasesEnd = async () => {
    await db()
      .$executeRaw`UPDATE clocks SET advance_leased_until = advance_leased_until - interval '90 seconds' WHERE advance_leased_until IS NOT NULL`
    await db()
      .$executeRaw`UPDATE tasks SET leased_until = leased_until - interval '90 seconds' WHERE leased_until IS NOT NULL`
    await db().$executeRaw`UPDATE idempotency_keys SET leased_until = leased_until - interval '90 seconds'`
  }
  const stopping = () => {
    const [stops, proceed] = [aGate(), aGate()]
    let runs = 0
    const run: TaskRunner['run'] = async (task) => {
      if (++runs === 2) {
        stops.open()
        await proceed.opened
      }
      return runner.run(task)
    }
    return { runner: { leaseMs: 90_000, run }, stops, goOn: proceed }
  }
  const abc = [
    ['a', 3_600],
    ['b', 7_200],
    ['c', 10_800],
  ]

  it('a clock advance continues in another process after its lease ends, and the first process then changes nothing', async () => {
    for (const [name, seconds] of abc) await put(String(name), Number(seconds) * second)
    const slow = stopping()
    const first = advanceByDuration(tenant, by(24), slow.runner)
    await slow.stops.opened
    expect(await resumeAdvances(runner, 8)).toEqual([])
    await leasesEnd()
    await Promise.all(await resumeAdvances(runner, 8))
    expect(ran).toEqual(abc)
    expect(await row()).toMatchObject({ advancing_to: null, runner_id: null })
    slow.goOn.open()
    await first
    expect(ran).toEqual(abc)
    expect((await clock()).getTime() - now.getTime()).toBeLessThan(25 * hour)
  })

  it.each(moments)(
    'if the process is killed %s any query, repeating the clock advance completes it, and each task runs once',
    async (moment) => {
      let n = 1
      for (let killed = true; killed; n++) {
        shop = await aShop()
        tenant = shop.scope
        now = await clock()
        operation = ({ emit }, name) => emit({ name: 'order.paid', object: { id: name } })
        await put('a', hour)
        await put('b', 2 * hour)
        killed = await killedAt(n, moment, post, places())
        await leasesEnd()
        expect((await post()).status).toBe(200)
        const ofShop = { where: { storefront_id: shop.storefrontId } }
        const events = await db().events.findMany({ ...ofShop, orderBy: { id: 'asc' } })
        const emitted = events.map(
          (event) => `${event.entity_id} at ${(event.created_at.getTime() - now.getTime()) / hour} h`,
        )
        expect([n, ...emitted]).toEqual([n, 'a at 1 h', 'b at 2 h'])
        expect([n, Math.floor(((await clock()).getTime() - now.getTime()) / hour)]).toEqual([n, 24])
        expect(await db().tasks.count(ofShop)).toBe(0)
      }
      expect(n).toBeGreaterThan(amount({ short: 6, long: 20 }))
    },
  )
})

describe('an advance with a failing timer', () => {
  it('a clock advance tries a failing task three times, delays no other task, and leaves the task to the worker', async () => {
    operation = (_, name) => (name === 'broken' ? failing() : Promise.resolve())
    await put('broken', hour)
    await put('whole', 2 * hour)
    expect(await advanceByDuration(tenant, by(24), runner)).toMatchObject({ ran: 1, remaining: 1 })
    expect(ran.map(([name]) => name)).toEqual(['broken', 'broken', 'broken', 'whole'])
    const [left] = await db().tasks.findMany({ where: { storefront_id: shop.storefrontId } })
    expect(left).toMatchObject({ last_error: 'Error: the timer is broken' })
    operation = async () => undefined
    await db().$executeRaw`UPDATE tasks SET run_at = date_trunc('milliseconds', now()) WHERE id = ${left?.id}`
    startWorker(runner, runner)
    await expect.poll(() => db().tasks.count({ where: { storefront_id: shop.storefrontId } })).toBe(0)
  })

  it('if the first attempt of a task fails, the task completes in the same clock advance', async () => {
    operation = () => (ran.length === 1 ? failing() : Promise.resolve())
    await put('a', hour)
    expect(await advanceByDuration(tenant, by(24), runner)).toMatchObject({ ran: 1, remaining: 0 })
    expect(ran).toEqual([
      ['a', 3_600],
      ['a', 3_600],
    ])
  })

  it('a clock advance completes even if a task always reschedules itself to the same time', async () => {
    operation = async () => new Reschedule(new Date(now.getTime() + hour))
    await put('restless', hour)
    expect(await advanceByDuration(tenant, by(24), runner)).toMatchObject({ remaining: 1 })
    expect((await clock()).getTime() - now.getTime()).toBeGreaterThanOrEqual(day)
  })
})

describe('an advance and concurrent work', () => {
  it('a clock advance waits for a transaction that has read the time, so that the transaction schedules no task in the past', async () => {
    const [reached, proceed] = [aGate(), aGate()]
    const writing = transact(tenant, async ({ enqueue }) => {
      reached.open()
      await proceed.opened
      await enqueue(timer, {
        key: `${shop.storefrontId} mine`,
        data: { name: 'mine' },
        dueAt: new Date(now.getTime() + hour),
      })
    })
    await reached.opened
    const moving = advanceByDuration(tenant, by(24), runner)
    const waiting = async () =>
      Number(
        (
          await db().$queryRaw<
            { n: bigint }[]
          >`SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
        )[0]?.n,
      )
    await expect.poll(waiting).toBe(1)
    proceed.open()
    await writing
    expect(await moving).toMatchObject({ ran: 1 })
    expect(ran).toEqual([['mine', 3_600]])
  })

  it('a clock advance waits for a task that a worker is running', async () => {
    await put('claimed', 0)
    const [claimed] = await claimDueTasks('work', 1, 90_000)
    await put('after', hour)
    const moving = advanceByDuration(tenant, by(24), runner)
    await expect.poll(async () => (await row()).advancing_to).not.toBeNull()
    if (!claimed) throw new Error('no task was due')
    await runTask(jobs, claimed)
    await moving
    expect(ran.map(([name]) => name)).toEqual(['claimed', 'after'])
  })

  it('during a clock advance, the worker does not run the tasks of the storefront', async () => {
    await put('a', 0)
    await advanceByDuration(tenant, by(24), runner, 0)
    expect(await claimDueTasks('work', 10, 90_000)).toEqual([])
  })
})

describe('new tasks during an advance', () => {
  const mine = () => db().tasks.count({ where: { storefront_id: shop.storefrontId } })

  it('new tasks run at their times, and an endless sequence of tasks cannot prolong a clock advance', async () => {
    let n = 0
    // Each task enqueues a task that is due immediately.
    operation = async () => {
      const at = await clock()
      await put(`sold ${++n}`, at.getTime() - now.getTime())
    }
    await put('a', hour)
    await put('b', 2 * hour)
    const answer = await advanceByDuration(tenant, by(24), runner)
    expect(ran.filter(([name]) => name.length === 1)).toEqual([
      ['a', 3_600],
      ['b', 7_200],
    ])
    expect(answer.ran).toBeGreaterThan(4)
    expect(answer.remaining).toBeGreaterThan(0)
    expect((await clock()).getTime() - now.getTime()).toBeGreaterThanOrEqual(day)
    expect(await row()).toMatchObject({ advancing_to: null, touched_at: null })
    operation = async () => undefined
    startWorker(runner, runner)
    await expect.poll(mine).toBe(0)
  })

  it('a task that a clock advance creates but does not run belongs to the next clock advance', async () => {
    operation = async (_, name) => {
      if (name === 'first') await put('called', 90 * minute)
    }
    await put('first', hour)
    await advanceByDuration(tenant, { by: { minutes: 70 } }, runner)
    expect((await db().tasks.findFirst({ where: { storefront_id: shop.storefrontId } }))?.beside).toBe(true)
    await advanceByDuration(tenant, by(24), runner, 0)
    expect((await db().tasks.findFirst({ where: { storefront_id: shop.storefrontId } }))?.beside).toBe(false)
  })

  it('a transaction that starts during a clock advance waits for the advance', async () => {
    const [first, second] = [aGate(), aGate()]
    const holding = transact(tenant, () => first.opened)
    const waiting = async () => {
      const [row] = await db().$queryRaw<{ n: number }[]>`
        SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return row?.n
    }
    const held = () => db().$queryRaw`
      SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE locktype = 'advisory' AND datname = current_database()`
    await expect.poll(held).toHaveLength(1)
    const moving = advanceByDuration(tenant, by(24), runner)
    await expect.poll(waiting).toBe(1)
    const coming = transact(tenant, async (tx) => {
      second.open()
      return tx.now
    })
    await expect.poll(waiting).toBe(2)
    first.open()
    await holding
    await second.opened
    expect((await coming).getTime()).toBeGreaterThanOrEqual(now.getTime())
    expect(await moving).toMatchObject({ remaining: 0 })
  })
})

describe('tasks of the same time', () => {
  it('tasks that are due at the same time run concurrently only if their order does not matter', async () => {
    const [first, second] = [aGate(), aGate()]
    const gates = new Map([
      ['one', { mine: first, other: second }],
      ['other', { mine: second, other: first }],
    ])
    let atOnce = 0
    operation = async (_, name) => {
      const gate = gates.get(name)
      gate?.mine.open()
      await gate?.other.opened
      if (gate) return
      expect(++atOnce).toBe(1)
      await Promise.resolve()
      atOnce--
    }
    const dueAt = new Date(now.getTime() + hour)
    await transact(tenant, ({ enqueueAll }) =>
      enqueueAll(
        free,
        [...gates.keys()].map((name) => ({ key: `${shop.storefrontId} ${name}`, data: { name }, dueAt })),
      ),
    )
    await put('a', 2 * hour)
    await put('b', 2 * hour)
    expect(await advanceByDuration(tenant, by(24), runner)).toMatchObject({ ran: 4, remaining: 0 })
    expect(ran.slice(2)).toEqual([
      ['a', 7_200],
      ['b', 7_200],
    ])
  })
})

describe('the endpoints for the test clock', () => {
  const path = '/v1/test-helpers/clock'
  const headers = { 'Idempotency-Key': 'a-move' }

  it('the clock endpoints show and advance the clock, and a repeated request does not advance the clock again', async () => {
    const key = shop.testKey
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
    const move = () => send(`POST ${path}/advance`, { key: shop.testKey, body: { by: 'P1D' }, headers })
    await move()
    await db().$executeRaw`UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'`
    await move()
    expect((await clock()).getTime() - now.getTime()).toBeGreaterThanOrEqual(2 * day)
  })

  it('a clock advance whose response was lost does not block another advance with the same idempotency key', async () => {
    const move = (by: string) => send(`POST ${path}/advance`, { key: shop.testKey, body: { by }, headers })
    await move('P1D')
    const { moved_by: forgotten } = await row()
    expect(forgotten).toBeNull()
    // The process of the first request advanced the clock, but lost the database before it could respond.
    const lost = fingerprint('POST', `${path}/advance`, new TextEncoder().encode(JSON.stringify({ by: 'P1D' })))
    const movedBy = identityOf({ key: headers['Idempotency-Key'], fingerprint: lost })
    await db().clocks.update({ where: { storefront_id: shop.storefrontId }, data: { moved_by: movedBy } })
    await db().idempotency_keys.deleteMany({ where: { storefront_id: shop.storefrontId } })
    await move('P7D')
    expect((await clock()).getTime() - now.getTime()).toBeGreaterThanOrEqual(8 * day)
    // If this call counted as a repetition of the first request, the clock would not advance.
    await db().clocks.update({ where: { storefront_id: shop.storefrontId }, data: { moved_by: movedBy } })
    await db().idempotency_keys.deleteMany({ where: { storefront_id: shop.storefrontId } })
    await move('P1D')
    expect((await clock()).getTime() - now.getTime()).toBeLessThan(9 * day)
  })

  it('a clock advance with an expired idempotency key moves the clock again, even if the process died after storing the response', async () => {
    const move = () => send(`POST ${path}/advance`, { key: shop.testKey, body: { by: 'P1D' }, headers })
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
    expect((await clock()).getTime() - now.getTime()).toBeGreaterThanOrEqual(2 * day)
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
    const reply = await send(`POST ${path}/advance`, { key: shop.testKey, body })
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]])
    expect(await row()).toMatchObject({ ahead_seconds: 0n, advancing_to: null })
  })

  it('the endpoints for the test clock are refused in live mode', async () => {
    expect((await send(`GET ${path}`, { key: shop.liveKey })).status).toBe(403)
  })
})

describe('the timers of test mode', () => {
  it('a checkout expires at its expiry time during a clock advance of one year', async () => {
    const key = shop.testKey
    const product = await aProduct(key)
    const checkout = await aCheckout(key, product.id)
    await advanceByDuration(tenant, { by: { hours: 23, minutes: 58 } }, appTasks.embedded)
    expect((await send(`GET /v1/checkouts/${checkout.id}`, { key })).body.status).toBe('created')
    await advanceByDuration(tenant, { by: { years: 1 } }, appTasks.embedded)
    expect((await send(`GET /v1/checkouts/${checkout.id}`, { key })).body.status).toBe('expired')
    const event = await db().events.findFirstOrThrow({ where: { entity_id: checkout.id, name: 'checkout.expired' } })
    expect(toWire(event.created_at)).toBe(checkout.expiresAt)
  })
})

describe('the commands for the test clock', () => {
  it.each(['25h', 'PT25H', '90m', '30d', '2w'])('the command line advances the clock by %s', async (typed) => {
    expect(await advanceClock(shop.storefrontId, typed, runner)).toMatchObject({ ran: 0, remaining: 0 })
  })

  it('the command line refuses an invalid duration and an unknown storefront', async () => {
    await expect(advanceClock(shop.storefrontId, 'soon', runner)).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(advanceClock('storefront_none', '1h', runner)).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
