import { randomUUID } from 'node:crypto'
import type { Bell, Rung } from './bell.ts'
import { db } from './db.ts'
import { deliver } from './outbox.ts'
import { poke } from './poke.ts'

/**
 * Moves the clock of a storefront's test mode. While it is moved it stands still at the moment of the task that is due
 * next: each task sees the moment it was due, and tasks run in the order of these moments. A drive is leased: when its
 * process dies, another takes it up where it stood.
 */

const leaseMs = 90_000
const triesPerTask = 3
const sideBySide = 8

export interface DriveResult {
  ran: number
  /** Tasks that are due but not done: out of time, or failing. */
  remaining: number
}

/** Claims a moving clock that nobody drives. Answers the driver's name, or null. */
async function claimClock(storefrontId: string): Promise<string | null> {
  const driver = randomUUID()
  const claimed = await db().$executeRaw`
    UPDATE clocks SET driver = ${driver}, driven_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
    WHERE storefront_id = ${storefrontId} AND advancing_to IS NOT NULL AND (driven_until IS NULL OR driven_until < clock_timestamp())`
  return claimed === 1 ? driver : null
}

/** Drives of clocks that were left moving: by a dead process, or by a call whose time was up. */
export async function drivingClocks(bell: Bell): Promise<Promise<void>[]> {
  const left = await db().$queryRaw<{ storefront_id: string }[]>`
    SELECT storefront_id FROM clocks WHERE advancing_to IS NOT NULL AND (driven_until IS NULL OR driven_until < clock_timestamp())`
  return left.map(async ({ storefront_id }) => {
    await drive(storefront_id, bell, Number.POSITIVE_INFINITY)
  })
}

/**
 * Runs what is due up to the moment the clock is being moved to, then lets it run on from there. Gives up at `until`
 * (real time, ms) and leaves the rest to the ringer. Null when somebody else is driving.
 */
export async function drive(storefrontId: string, bell: Bell, until: number): Promise<DriveResult | null> {
  const driver = await claimClock(storefrontId)
  if (!driver) return null
  const tries = new Map<string, number>()
  const givenUp: string[] = []
  let ran = 0
  for (;;) {
    if (!(await renewLease(storefrontId, driver))) return { ran, remaining: await countDue(storefrontId) }
    const next = await dueTasks(storefrontId, givenUp)
    if (next.length === 0) {
      if (await arrive(storefrontId, driver, givenUp)) {
        poke()
        return { ran, remaining: givenUp.length }
      }
      continue
    }
    if (Date.now() >= until) {
      await db().clocks.updateMany({ where: { storefront_id: storefrontId, driver }, data: { driven_until: null } })
      poke()
      return { ran, remaining: await countDue(storefrontId) }
    }
    if (next.some((task) => task.leased)) {
      await new Promise((resolve) => setTimeout(resolve, 25))
      continue
    }
    await Promise.all(
      next.map(async (task) => {
        const rung = await claimTask(storefrontId, driver, task)
        if (rung) await bell.ring(rung)
        if (rung && !(await failed(rung))) ran++
        else {
          const count = (tries.get(task.id) ?? 0) + 1
          tries.set(task.id, count)
          if (count >= triesPerTask) givenUp.push(task.id)
        }
      }),
    )
  }
}

interface Due {
  id: string
  name: string
  due_at: Date
  generation: number
  leased: boolean
}

const renewLease = async (storefrontId: string, driver: string): Promise<boolean> =>
  (await db().$executeRaw`
    UPDATE clocks SET driven_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
    WHERE storefront_id = ${storefrontId} AND driver = ${driver} AND advancing_to IS NOT NULL`) === 1

/** The task that is due next; deliveries of one moment come together, since a slow receiver must not hold up the others. */
async function dueTasks(storefrontId: string, givenUp: string[]): Promise<Due[]> {
  const due = await db().$queryRaw<Due[]>`
    SELECT tasks.id, name, due_at, generation, leased_until IS NOT NULL AND leased_until > clock_timestamp() AS leased
    FROM tasks JOIN clocks USING (storefront_id)
    WHERE storefront_id = ${storefrontId} AND clock = 'storefront' AND due_at <= advancing_to AND tasks.id <> ALL(${givenUp})
    ORDER BY due_at, tasks.id LIMIT ${sideBySide}::int`
  const [first] = due
  if (!first) return []
  if (first.name !== deliver.name) return [first]
  const differs = due.findIndex(
    (task) => task.name !== deliver.name || task.due_at.getTime() !== first.due_at.getTime(),
  )
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

/** A task that failed is still there in the same generation, with its error. */
const failed = async ({ taskId, generation }: Rung): Promise<boolean> =>
  (await db().tasks.count({ where: { id: taskId, generation, last_error: { not: null } } })) > 0

/** Lets the clock run on from where it was moved to, unless something became due meanwhile. */
async function arrive(storefrontId: string, driver: string, givenUp: string[]): Promise<boolean> {
  return db().$transaction(async (sql) => {
    const mine = await sql.$queryRaw<unknown[]>`
      SELECT 1 FROM clocks WHERE storefront_id = ${storefrontId} AND driver = ${driver} AND advancing_to IS NOT NULL FOR UPDATE`
    if (mine.length === 0) return true
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
