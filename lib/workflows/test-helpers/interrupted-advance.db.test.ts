import { describe, expect, it } from 'vitest'
import { advanceClock as advanceEndpoint } from '../../modules/test-helpers/contract.ts'
import { db } from '../../platform/db/db.ts'
import { route as routeOf } from '../../platform/http/route.ts'
import type { TaskRunner } from '../../platform/jobs/task-runner.ts'
import { Reschedule } from '../../platform/jobs/tasks.ts'
import { resumeAdvances } from '../../platform/jobs/test-clock.ts'
import { startWorker } from '../../platform/jobs/worker.ts'
import { amount } from '../../testing/amount.ts'
import { clockTimers, day, hour, hours, minute, second } from '../../testing/clock-timers.ts'
import { killedAt, moments, places } from '../../testing/crash.ts'
import { aGate } from '../../testing/gate.ts'
import { call } from '../../testing/shop.ts'
import { advanceByDuration, stopClock } from './operations.ts'

const timers = clockTimers()
const { clock, put, row, runner } = timers
const failing = () => Promise.reject(new Error('the timer is broken'))

describe('stopping an advance', () => {
  it('if an advance of the clock is stopped, the clock continues from the time that it has reached', async () => {
    let stopping: Promise<unknown> | undefined
    timers.operation = async () => {
      if (timers.ran.length === 3) stopping = stopClock(timers.shop.storefrontId, runner)
      return new Reschedule(timers.at((timers.ran.length + 1) * day))
    }
    await put('daily', day)
    const answer = await advanceByDuration(timers.tenant, { to: new Date('2999-01-01T00:00:00Z') }, runner)
    expect(answer.remaining).toBe(0)
    const reached = timers.now.getTime() + timers.ran.length * day
    expect((await clock()).getTime() - reached).toBeGreaterThanOrEqual(0)
    expect((await clock()).getTime() - reached).toBeLessThan(minute)
    expect(await stopping).toMatchObject({ remaining: 0 })
    expect(await row()).toMatchObject({ advancing_to: null, frozen_at: null })
    const [next] = await db().tasks.findMany({ where: { storefront_id: timers.shop.storefrontId } })
    expect(Math.abs((next?.run_at.getTime() ?? 0) - Date.now() - day)).toBeLessThan(minute)
  })

  it('a clock advance can be stopped after its process has died', async () => {
    await put('a', hour)
    await advanceByDuration(timers.tenant, hours(24), runner, 0)
    expect(await stopClock(timers.shop.storefrontId, runner)).toMatchObject({ ran: 0, remaining: 0 })
    expect((await clock()).getTime() - timers.now.getTime()).toBeLessThan(minute)
    expect(timers.ran).toEqual([])
  })

  it('a request to stop a clock advance is refused if no advance is running', async () => {
    const refused = stopClock(timers.shop.storefrontId, runner)
    await expect(refused).rejects.toMatchObject({ on: { storefront: ['No advance of the test clock is running.'] } })
  })
})

describe('an advance after its process was killed', () => {
  const route = routeOf(advanceEndpoint, ({ context, body }) => advanceByDuration(context, body, runner))
  const headers = { 'Idempotency-Key': 'the-same' }
  const post = () =>
    call(route, 'POST', advanceEndpoint.path, { key: timers.shop.testKey, body: { by: 'PT24H' }, headers })
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
    const first = advanceByDuration(timers.tenant, hours(24), slow.runner)
    await slow.stops.opened
    expect(await resumeAdvances(runner, 8)).toEqual([])
    await leasesEnd()
    await Promise.all(await resumeAdvances(runner, 8))
    expect(timers.ran).toEqual(abc)
    expect(await row()).toMatchObject({ advancing_to: null, runner_id: null })
    slow.goOn.open()
    await first
    expect(timers.ran).toEqual(abc)
    expect((await clock()).getTime() - timers.now.getTime()).toBeLessThan(25 * hour)
  })

  it.each(moments)(
    'if the process is killed %s any query, a repeated clock advance completes, and each task runs once',
    async (moment) => {
      let n = 1
      for (let killed = true; killed; n++) {
        await timers.start()
        timers.operation = ({ emit }, name) => emit({ name: 'order.paid', object: { id: name } })
        await put('a', hour)
        await put('b', 2 * hour)
        killed = await killedAt(n, moment, post, places())
        await leasesEnd()
        expect((await post()).status).toBe(200)
        const ofShop = { where: { storefront_id: timers.shop.storefrontId } }
        const events = await db().events.findMany({ ...ofShop, orderBy: { id: 'asc' } })
        const emitted = events.map(
          (event) => `${event.entity_id} at ${(event.created_at.getTime() - timers.now.getTime()) / hour} h`,
        )
        expect([n, ...emitted]).toEqual([n, 'a at 1 h', 'b at 2 h'])
        expect([n, Math.floor(((await clock()).getTime() - timers.now.getTime()) / hour)]).toEqual([n, 24])
        expect(await db().tasks.count(ofShop)).toBe(0)
      }
      expect(n).toBeGreaterThan(amount({ short: 6, long: 20 }))
    },
  )
})

describe('an advance with a failing timer', () => {
  it('a clock advance tries a failing task three times, delays no other task, and leaves the task to the worker', async () => {
    timers.operation = (_, name) => (name === 'broken' ? failing() : Promise.resolve())
    await put('broken', hour)
    await put('whole', 2 * hour)
    expect(await advanceByDuration(timers.tenant, hours(24), runner)).toMatchObject({ ran: 1, remaining: 1 })
    expect(timers.ran.map(([name]) => name)).toEqual(['broken', 'broken', 'broken', 'whole'])
    const [left] = await db().tasks.findMany({ where: { storefront_id: timers.shop.storefrontId } })
    expect(left).toMatchObject({ last_error: 'Error: the timer is broken' })
    timers.operation = async () => undefined
    await db().$executeRaw`UPDATE tasks SET run_at = date_trunc('milliseconds', now()) WHERE id = ${left?.id}`
    startWorker(runner, runner)
    await expect.poll(() => db().tasks.count({ where: { storefront_id: timers.shop.storefrontId } })).toBe(0)
  })

  it('if the first attempt of a task fails, the task completes in the same clock advance', async () => {
    timers.operation = () => (timers.ran.length === 1 ? failing() : Promise.resolve())
    await put('a', hour)
    expect(await advanceByDuration(timers.tenant, hours(24), runner)).toMatchObject({ ran: 1, remaining: 0 })
    expect(timers.ran).toEqual([
      ['a', 3_600],
      ['a', 3_600],
    ])
  })

  it('a clock advance completes even if a task always reschedules itself to the same time', async () => {
    timers.operation = async () => new Reschedule(timers.at(hour))
    await put('restless', hour)
    expect(await advanceByDuration(timers.tenant, hours(24), runner)).toMatchObject({ remaining: 1 })
    expect((await clock()).getTime() - timers.now.getTime()).toBeGreaterThanOrEqual(day)
  })
})
