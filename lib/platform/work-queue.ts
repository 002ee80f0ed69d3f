import { AsyncResource } from 'node:async_hooks'

/** The queue is full: the caller should retry later. */
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
 * A queue for the work of several parties with limited concurrency. The parties are served in rotation, so that a party
 * with much work does not delay a party with little. Each party has a limit, so that no party can fill the queue. If
 * one party's work may be slow, a limit on its running work leaves places to the others. Counted per process.
 */
export class WorkQueue {
  private readonly waiting = new Map<string, Waiting[]>()
  private length = 0
  private running = 0
  /** The number of running works, by party. Parties without running work are absent. */
  private readonly runningOf = new Map<string, number>()

  constructor(
    private readonly limits: {
      readonly atOnce: number
      /** Concurrent work per party; by default the whole limit. */
      readonly atOnceOfOne?: number
      /** How much may wait: in total, and for one party. */
      readonly most: number
      readonly mostOfOne: number
      /** The retry delay that `Busy` carries. */
      readonly retryAfterSeconds: number
    },
  ) {}

  /** Runs the work when a place is free. Throws `Busy` at once if the queue is full. */
  async run<Result>(party: string, work: () => Promise<Result>): Promise<Result> {
    const { most, mostOfOne, retryAfterSeconds } = this.limits
    // While there is a free place, only parties at their limit have waiting work.
    if (this.hasRoom(party)) return this.done(party, work)
    const line = this.waiting.get(party) ?? []
    if (this.length >= most || line.length >= mostOfOne) throw new Busy(retryAfterSeconds)
    return new Promise((resolve, reject) => {
      line.push({
        // Keeps the trace of the caller, not of the work whose end frees the place.
        start: AsyncResource.bind(() => this.done(party, work).then(resolve, reject)),
        drop: () => reject(new Busy(retryAfterSeconds)),
      })
      this.waiting.set(party, line)
      this.length++
    })
  }

  /** Drops all waiting work: each caller gets `Busy`. */
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

  /** Takes the first work of the next party that has room, and moves that party to the end of the turn order. */
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
