import type { Bell, Rung } from './bell.ts'
import { drivingClocks } from './clock-driver.ts'
import { db } from './db.ts'
import { housekeeping } from './housekeeping.ts'
import { Leases } from './leases.ts'
import { log } from './log.ts'
import { onPoke } from './poke.ts'
import { shortError } from './short-error.ts'
import { failTask, kindsInLanes, type Lane, lanes } from './tasks.ts'

/** So many at once in each lane. */
const places: Readonly<Record<Lane, number>> = { work: 192, webhooks: 128, mail: 16 }
/** More would keep the rows of a transaction locked for longer without saving more. */
const mostTogether = 64
/** Of clocks that were left moving; more wait for one of them. */
const mostDrives = 8
const lookEveryMs = 500
const housekeepingEveryMs = 10 * 60_000

let running: Ringer | undefined

/** Starts ringing due tasks in this process. `embedded` runs tasks in-process also where `bell` hands them elsewhere. */
export function startRinger(bell: Bell, embedded: Bell): void {
  running ??= new Ringer(bell, embedded)
}

/** Stops claiming and waits for what is being run here. */
export async function stopRinger(): Promise<void> {
  const ringer = running
  running = undefined
  await ringer?.stop()
}

class Ringer {
  private readonly inFlight = new Map(lanes.map((lane) => [lane, new Set<Promise<void>>()]))
  private readonly drives = new Set<Promise<void>>()
  private readonly other = new Set<Promise<void>>()
  private readonly leases = new Leases()
  private stopped = false
  private again = false
  private looking: Promise<void> | undefined
  private readonly timers: NodeJS.Timeout[]

  constructor(
    private readonly bell: Bell,
    private readonly embedded: Bell,
  ) {
    onPoke(() => this.look())
    this.leases.start()
    this.timers = [
      setInterval(() => this.look(), lookEveryMs),
      setInterval(() => this.track(this.other, housekeeping()), housekeepingEveryMs),
    ]
    this.look()
  }

  async stop(): Promise<void> {
    this.stopped = true
    onPoke(undefined)
    for (const timer of this.timers) clearInterval(timer)
    await this.looking
    await Promise.all([...this.inFlight.values(), this.drives, this.other].flatMap((tracked) => [...tracked]))
    await this.leases.stop()
  }

  /** One look at a time; a poke during a look causes another one after it. */
  private look(): void {
    if (this.stopped) return
    if (this.looking) {
      this.again = true
      return
    }
    this.looking = this.claimAndRing()
      .catch((error) => log.error({ error: String(error) }, 'could not look for due tasks'))
      .finally(() => {
        this.looking = undefined
        if (this.again) {
          this.again = false
          this.look()
        }
      })
  }

  private async claimAndRing(): Promise<void> {
    for (const drive of await drivingClocks(this.embedded, mostDrives - this.drives.size))
      this.track(this.drives, drive)
    for (const [lane, inFlight] of this.inFlight) {
      const room = places[lane] - inFlight.size
      if (room <= 0) continue
      const tasks = await claimDue(lane, room, this.bell.leaseMs)
      this.ringAll(tasks, inFlight, places[lane])
      if (tasks.length === room) this.again = true
    }
  }

  /** Many of one kind go in one go, if the bell has a way. */
  private ringAll(tasks: readonly Rung[], inFlight: Set<Promise<void>>, atOnce: number): void {
    for (const some of groups(tasks)) {
      const ringTogether = some.length > 1 ? this.bell.togetherOf?.(some[0]?.name ?? '') : null
      const together = ringTogether?.(some)
      for (const task of some) this.track(inFlight, this.held(task, together ?? this.ring(task)), atOnce)
    }
  }

  /** What is run here is claimed for as long as it runs; what was handed elsewhere for as long as its bell says. */
  private async held(task: Rung, work: Promise<void>): Promise<void> {
    if (this.bell !== this.embedded) return work
    this.leases.hold(task)
    return work.finally(() => this.leases.drop(task))
  }

  /** A bell that cannot be rung (an Inngest server that is away) is tried again soon, not when the lease ends. */
  private async ring(task: Rung): Promise<void> {
    try {
      await this.bell.ring(task)
    } catch (error) {
      await failTask(db(), task, shortError(error))
      throw error
    }
  }

  private track(inFlight: Set<Promise<void>>, work: Promise<void>, atOnce = Number.POSITIVE_INFINITY): void {
    const tracked = work
      .catch((error) => log.error({ error: String(error) }, 'background work failed'))
      .finally(() => {
        inFlight.delete(tracked)
        if (inFlight.size === atOnce - 1) this.look()
      })
    inFlight.add(tracked)
  }
}

/** Tasks of one kind, as many as go together. */
function groups(tasks: readonly Rung[]): Rung[][] {
  const found: Rung[][] = []
  for (const name of new Set(tasks.map((task) => task.name))) {
    const kind = tasks.filter((task) => task.name === name)
    for (let from = 0; from < kind.length; from += mostTogether) found.push(kind.slice(from, from + mostTogether))
  }
  return found
}

/**
 * Claims due tasks, oldest first. A claim is a new generation and a lease; tasks on a clock that is being moved are left
 * to its driver, which runs them in their order.
 */
export async function claimDue(lane: Lane, limit: number, leaseMs: number): Promise<Rung[]> {
  const isWork = lane === 'work'
  const kinds = [...kindsInLanes].flatMap(([kind, own]) => (isWork || own === lane ? [kind] : []))
  return db().$queryRaw<Rung[]>`
    WITH due AS MATERIALIZED (
      SELECT id, ring_at FROM tasks
      WHERE ring_at <= clock_timestamp() AND (name = ANY(${kinds})) = ${!isWork}::boolean
        AND NOT (clock = 'storefront' AND EXISTS (
          SELECT 1 FROM clocks WHERE clocks.storefront_id = tasks.storefront_id AND advancing_to IS NOT NULL))
      ORDER BY ring_at, id LIMIT ${limit}::int FOR UPDATE OF tasks SKIP LOCKED),
    claimed AS (
      UPDATE tasks SET generation = generation + 1, attempts = attempts + 1,
        ring_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
        leased_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
      FROM due WHERE tasks.id = due.id
      RETURNING tasks.id, tasks.generation, tasks.name, due.ring_at)
    SELECT id AS "taskId", generation, name FROM claimed ORDER BY ring_at, id`
}
