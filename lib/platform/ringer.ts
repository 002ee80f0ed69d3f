import type { Bell, Rung } from './bell.ts'
import { drivingClocks } from './clock-driver.ts'
import { db } from './db.ts'
import { housekeeping } from './housekeeping.ts'
import { log } from './log.ts'
import { onPoke } from './poke.ts'

const atOnce = 64
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
  private readonly inFlight = new Set<Promise<void>>()
  private stopped = false
  private again = false
  private looking: Promise<void> | undefined
  private readonly timers: NodeJS.Timeout[]

  constructor(
    private readonly bell: Bell,
    private readonly embedded: Bell,
  ) {
    onPoke(() => this.look())
    this.timers = [
      setInterval(() => this.look(), lookEveryMs),
      setInterval(() => this.track(housekeeping()), housekeepingEveryMs),
    ]
    this.look()
  }

  async stop(): Promise<void> {
    this.stopped = true
    onPoke(undefined)
    for (const timer of this.timers) clearInterval(timer)
    await this.looking
    await Promise.all(this.inFlight)
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
    for (const drive of await drivingClocks(this.embedded)) this.track(drive)
    const room = atOnce - this.inFlight.size
    if (room <= 0) return
    const tasks = await claim(room, this.bell.leaseMs)
    for (const task of tasks) this.track(this.bell.ring(task))
    if (tasks.length === room) this.again = true
  }

  private track(work: Promise<void>): void {
    const tracked = work
      .catch((error) => log.error({ error: String(error) }, 'background work failed'))
      .finally(() => {
        this.inFlight.delete(tracked)
        if (this.inFlight.size === atOnce - 1) this.look()
      })
    this.inFlight.add(tracked)
  }
}

/**
 * Claims due tasks, oldest first. A claim is a new generation and a lease; tasks on a clock that is being moved are left
 * to its driver, which runs them in their order.
 */
async function claim(limit: number, leaseMs: number): Promise<Rung[]> {
  return db().$queryRaw<Rung[]>`
    UPDATE tasks SET generation = generation + 1, attempts = attempts + 1,
      ring_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
      leased_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
    WHERE id IN (
      SELECT id FROM tasks WHERE ring_at <= clock_timestamp() AND NOT (clock = 'storefront' AND EXISTS (
        SELECT 1 FROM clocks WHERE clocks.storefront_id = tasks.storefront_id AND advancing_to IS NOT NULL))
      ORDER BY ring_at, id LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)
    RETURNING id AS "taskId", generation, name`
}
