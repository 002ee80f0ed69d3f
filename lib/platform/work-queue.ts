import { AsyncResource } from 'node:async_hooks'

export class Busy extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super('too much is waiting')
    this.name = 'Busy'
  }
}

interface Waiting {
  start(): Promise<void>
  drop(): void
}

/**
 * Serves parties (such as merchants) in rotation, so that no party can fill the queue or delay the other parties.
 * `atOnceOfOne` leaves slots to other parties if the work of one party is slow. Limits apply to each process.
 */
export class WorkQueue {
  private readonly waiting = new Map<string, Waiting[]>()
  private length = 0
  private running = 0
  /** The number of running items by party. Parties without running items are absent. */
  private readonly runningOf = new Map<string, number>()

  constructor(
    private readonly limits: {
      readonly atOnce: number
      /** The maximum number of running items per party; by default `atOnce`. */
      readonly atOnceOfOne?: number
      readonly most: number
      readonly mostOfOne: number
      readonly retryAfterSeconds: number
    },
  ) {}

  /** Throws `Busy` immediately if the queue is full. */
  async run<Result>(party: string, work: () => Promise<Result>): Promise<Result> {
    const { most, mostOfOne, retryAfterSeconds } = this.limits
    // This work overtakes no queued work: while a slot is free, only parties at their limit have queued work.
    if (this.hasRoom(party)) return this.done(party, work)
    const line = this.waiting.get(party) ?? []
    if (this.length >= most || line.length >= mostOfOne) throw new Busy(retryAfterSeconds)
    return new Promise((resolve, reject) => {
      line.push({
        // Binds the work to the trace of its caller. Otherwise the work would have the trace of the item that freed the slot.
        start: AsyncResource.bind(() => this.done(party, work).then(resolve, reject)),
        drop: () => reject(new Busy(retryAfterSeconds)),
      })
      this.waiting.set(party, line)
      this.length++
    })
  }

  clear(): void {
    const dropped = [...this.waiting.values()].flat()
    this.waiting.clear()
    this.length = 0
    for (const each of dropped) each.drop()
  }

  private hasRoom(party: string): boolean {
    const { atOnce, atOnceOfOne = atOnce } = this.limits
    return this.running < atOnce && (this.runningOf.get(party) ?? 0) < atOnceOfOne
  }

  private count(party: string, change: 1 | -1): void {
    this.running += change
    const running = (this.runningOf.get(party) ?? 0) + change
    if (running > 0) this.runningOf.set(party, running)
    else this.runningOf.delete(party)
  }

  private async done<Result>(party: string, work: () => Promise<Result>): Promise<Result> {
    this.count(party, 1)
    try {
      return await work()
    } finally {
      this.count(party, -1)
      void this.next()?.start()
    }
  }

  private next(): Waiting | undefined {
    for (const [party, line] of this.waiting) {
      if (!this.hasRoom(party)) continue
      const first = line.shift()
      this.length--
      this.waiting.delete(party)
      if (line.length > 0) this.waiting.set(party, line)
      return first
    }
    return undefined
  }
}
