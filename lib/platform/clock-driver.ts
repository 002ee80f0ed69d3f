import { randomUUID } from 'node:crypto'
import type { Bell, Rung } from './bell.ts'
import { db, type Sql } from './db.ts'
import { deliver } from './outbox.ts'
import { poke } from './poke.ts'
import { failTask, shortError } from './tasks.ts'

/**
 * Moves the clock of a storefront's test mode. While it is moved it stands still at the moment of the task that is due
 * next: each task sees the moment it was due, and tasks run in the order of these moments. A drive is leased: when its
 * process dies, another takes it up where it stood.
 */

const leaseMs = 90_000
const renewEveryMs = 30_000
const lookAgainMs = 25
/** Who waits for another task's start, and not for its end, is asked again after this. */
const askAgainMs = 1_000
/** A drive in the background is handed on after this, so that a process that is asked to stop soon can. */
const shiftMs = 10_000
const triesPerTask = 3
const sideBySide = 64

export interface DriveResult {
  /** Tasks that ran in this drive. */
  readonly ran: number
  /** Tasks that are due but not done: out of time, or failing. */
  readonly remaining: number
}

/**
 * Runs what is due up to the moment the clock is being moved to, then lets it run on from there. Gives up at `until`
 * (real time, ms) and leaves the rest to the ringer. `driver` is the one who began the move; without one the clock is
 * taken up when nobody drives it, and else watched until it arrives.
 */
export async function drive(
  storefrontId: string,
  bell: Bell,
  until: number,
  driver: string | null,
): Promise<DriveResult> {
  for (;;) {
    const mine = driver ?? (await claimClock(db(), storefrontId))
    if (mine) return driveAs(mine, storefrontId, bell, until)
    const moves = await db().clocks.count({ where: { storefront_id: storefrontId, advancing_to: { not: null } } })
    if (moves === 0) return { ran: 0, remaining: 0 }
    if (Date.now() >= until) return { ran: 0, remaining: await countDue(storefrontId) }
    await pause(lookAgainMs)
  }
}

/** Drives of clocks that were left moving: by a dead process, or by a call whose time was up. */
export async function drivingClocks(bell: Bell): Promise<Promise<void>[]> {
  const left = await db().$queryRaw<{ storefront_id: string }[]>`
    SELECT storefront_id FROM clocks WHERE advancing_to IS NOT NULL AND (driven_until IS NULL OR driven_until < clock_timestamp())`
  return left.map(async ({ storefront_id }) => {
    const driver = await claimClock(db(), storefront_id)
    if (driver) await driveAs(driver, storefront_id, bell, Date.now() + shiftMs)
  })
}

/** Claims a moving clock that nobody drives. Answers the driver's name, or null. */
export async function claimClock(sql: Sql, storefrontId: string): Promise<string | null> {
  const driver = randomUUID()
  const claimed = await sql.$executeRaw`
    UPDATE clocks SET driver = ${driver}, driven_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
    WHERE storefront_id = ${storefrontId} AND advancing_to IS NOT NULL AND (driven_until IS NULL OR driven_until < clock_timestamp())`
  return claimed === 1 ? driver : null
}

async function driveAs(driver: string, storefrontId: string, bell: Bell, until: number): Promise<DriveResult> {
  const running = new Map<string, Promise<void>>()
  try {
    return await run({ driver, storefrontId, bell, until, running })
  } catch (error) {
    await Promise.allSettled(running.values())
    await release(storefrontId, driver)
    throw error
  }
}

interface Drive {
  readonly driver: string
  readonly storefrontId: string
  readonly bell: Bell
  readonly until: number
  /** By task, what is being run. */
  readonly running: Map<string, Promise<void>>
}

/**
 * One task after the other; deliveries of one moment run side by side, since a slow receiver must not hold up the others.
 * A task that says it must wait for another one is passed over until something else is done.
 */
async function run({ driver, storefrontId, bell, until, running }: Drive): Promise<DriveResult> {
  const tries = new Map<string, number>()
  const givenUp = new Set<string>()
  const waiting = new Set<string>()
  let idle = 0
  let returned = 0
  let ended = 0
  let askedAt = 0
  let ran = 0
  let moment = 0
  let broken: { error: unknown } | undefined

  const start = async (task: Due) => {
    const endedBefore = ended
    const rung = await claimTask(storefrontId, driver, task)
    if (!rung) return
    await bell.ring(rung).catch((error) => failTask(db(), rung, shortError(error)))
    const end = await endOf(task, rung)
    if (end === 'waits') {
      // What ended meanwhile may be what it waited for: then it is asked again at once.
      if (ended === endedBefore) waiting.add(task.id)
      return
    }
    ended++
    waiting.clear()
    idle = 0
    if (end === 'done') return void ran++
    const count = (tries.get(task.id) ?? 0) + 1
    tries.set(task.id, count)
    if (count >= triesPerTask) givenUp.add(task.id)
  }

  for (;;) {
    if (broken) throw broken.error
    if (!(await renewLease(storefrontId, driver))) {
      await Promise.all(running.values())
      return { ran, remaining: await countDue(storefrontId) }
    }
    const returnedBefore = returned
    const isOver = Date.now() >= until
    const next = isOver ? [] : await dueTasks(storefrontId, [...givenUp, ...waiting, ...running.keys()])
    const due = next[0]?.due_at.getTime() ?? 0
    const startable = next.filter((task) => !task.leased && (running.size === 0 || (task.isDelivery && due <= moment)))
    if (startable.length > 0) moment = due
    for (const task of startable) {
      const work = start(task)
        .catch((error) => {
          broken ??= { error }
        })
        .finally(() => {
          running.delete(task.id)
          returned++
        })
      running.set(task.id, work)
    }
    if (running.size > 0) {
      // What came back while we looked may be startable again, and is not in what we found.
      if (returned === returnedBefore) await soonest(running.values(), waiting.size > 0 ? askAgainMs : renewEveryMs)
      if (Date.now() - askedAt < askAgainMs) continue
      waiting.clear()
      askedAt = Date.now()
    } else if (isOver) {
      const remaining = await countDue(storefrontId)
      await release(storefrontId, driver)
      return { ran, remaining }
    } else if (next.length > 0) {
      await pause(lookAgainMs) // the ringer had claimed it before the clock was moved
    } else if (waiting.size > 0) {
      await pause(lookAgainMs)
      if (++idle >= triesPerTask) for (const id of waiting) givenUp.add(id)
      waiting.clear()
    } else if (await arrive(storefrontId, driver, [...givenUp])) {
      poke()
      return { ran, remaining: givenUp.size }
    }
  }
}

interface Due {
  readonly id: string
  readonly due_at: Date
  readonly generation: number
  readonly isDelivery: boolean
  /** Somebody else is at it. */
  readonly leased: boolean
}

const renewLease = async (storefrontId: string, driver: string): Promise<boolean> =>
  (await db().$executeRaw`
    UPDATE clocks SET driven_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
    WHERE storefront_id = ${storefrontId} AND driver = ${driver} AND advancing_to IS NOT NULL`) === 1

/** Leaves the moving clock to whoever looks next. */
async function release(storefrontId: string, driver: string): Promise<void> {
  await db().clocks.updateMany({ where: { storefront_id: storefrontId, driver }, data: { driven_until: null } })
  poke()
}

/** The task that is due next, or the deliveries of one moment. */
async function dueTasks(storefrontId: string, leftOut: string[]): Promise<Due[]> {
  const due = await db().$queryRaw<Due[]>`
    SELECT tasks.id, due_at, generation, name = ${deliver.name} AS "isDelivery",
      leased_until IS NOT NULL AND leased_until > clock_timestamp() AS leased
    FROM tasks JOIN clocks USING (storefront_id)
    WHERE storefront_id = ${storefrontId} AND clock = 'storefront' AND due_at <= advancing_to AND tasks.id <> ALL(${leftOut})
    ORDER BY due_at, tasks.id LIMIT ${sideBySide}::int`
  const [first] = due
  if (!first) return []
  if (!first.isDelivery) return [first]
  const differs = due.findIndex((task) => !task.isDelivery || task.due_at.getTime() !== first.due_at.getTime())
  return differs === -1 ? due : due.slice(0, differs)
}

async function countDue(storefrontId: string): Promise<number> {
  const [row] = await db().$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM tasks JOIN clocks USING (storefront_id)
    WHERE storefront_id = ${storefrontId} AND clock = 'storefront' AND due_at <= advancing_to`
  return Number(row?.count ?? 0)
}

/** Moves the standing clock to the task's moment (never back) and claims the task for this drive. */
async function claimTask(storefrontId: string, driver: string, { id, generation, due_at }: Due): Promise<Rung | null> {
  return db().$transaction(async (sql) => {
    const mine = await sql.$executeRaw`
      UPDATE clocks SET frozen_at = greatest(frozen_at, date_trunc('second', ${due_at}::timestamptz))
      WHERE storefront_id = ${storefrontId} AND driver = ${driver}`
    if (mine !== 1) return null
    const [rung] = await sql.$queryRaw<Rung[]>`
      UPDATE tasks SET generation = generation + 1, attempts = attempts + 1,
        ring_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
        leased_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
      WHERE id = ${id} AND generation = ${generation} RETURNING id AS "taskId", generation, name`
    return rung ?? null
  })
}

/** Done is what is gone, replaced or put off; a task that is still there as it was failed, or waits for another one. */
async function endOf({ due_at }: Due, { taskId, generation }: Rung): Promise<'done' | 'failed' | 'waits'> {
  const row = await db().tasks.findUnique({ where: { id: taskId } })
  if (row?.generation !== generation || row.due_at > due_at) return 'done'
  return row.last_error === null ? 'waits' : 'failed'
}

/** Lets the clock run on from where it was moved to, unless something became due meanwhile. */
async function arrive(storefrontId: string, driver: string, givenUp: string[]): Promise<boolean> {
  return db().$transaction(async (sql) => {
    const mine = await sql.$queryRaw<unknown[]>`
      SELECT 1 FROM clocks WHERE storefront_id = ${storefrontId} AND driver = ${driver} AND advancing_to IS NOT NULL FOR UPDATE`
    if (mine.length === 0) return false
    const [due] = await sql.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM tasks JOIN clocks USING (storefront_id) WHERE storefront_id = ${storefrontId}
      AND clock = 'storefront' AND due_at <= advancing_to AND tasks.id <> ALL(${givenUp})`
    if (Number(due?.count ?? 0) > 0) return false
    await sql.$executeRaw`
      UPDATE clocks SET ahead_seconds = extract(epoch FROM advancing_to)::bigint - floor(extract(epoch FROM clock_timestamp()))::bigint,
        frozen_at = NULL, advancing_to = NULL, driver = NULL, driven_until = NULL WHERE storefront_id = ${storefrontId}`
    await sql.$executeRaw`
      UPDATE tasks SET ring_at = due_at - ahead_seconds * interval '1 second' FROM clocks
      WHERE tasks.storefront_id = ${storefrontId} AND clocks.storefront_id = tasks.storefront_id
      AND clock = 'storefront' AND leased_until IS NULL AND last_error IS NULL`
    return true
  })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function soonest(work: Iterable<Promise<void>>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([...work, enough]).finally(() => clearTimeout(timer))
}
