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
 * A queue for the work of several parties with limited concurrency. The parties take turns, so that one with much work
 * does not hold up one with little; and no party can fill the queue, because each has a limit of its own. Counted per
 * process.
 */
export class WorkQueue {
  private readonly waiting = new Map<string, Waiting[]>()
  private length = 0
  private running = 0

  constructor(
    private readonly limits: {
      readonly atOnce: number
      /** How much may wait: in all, and for one party. */
      readonly most: number
      readonly mostOfOne: number
      /** The retry delay that `Busy` carries. */
      readonly retryAfterSeconds: number
    },
  ) {}

  /** Does the work when its turn comes. Throws `Busy` at once if the queue is full. */
  async run<Result>(party: string, work: () => Promise<Result>): Promise<Result> {
    const { atOnce, most, mostOfOne, retryAfterSeconds } = this.limits
    if (this.running < atOnce) return this.done(work)
    const line = this.waiting.get(party) ?? []
    if (this.length >= most || line.length >= mostOfOne) throw new Busy(retryAfterSeconds)
    return new Promise((resolve, reject) => {
      line.push({
        // In the trace of who asked for it, not of whose end makes room.
        start: AsyncResource.bind(() => this.done(work).then(resolve, reject)),
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

  private async done<Result>(work: () => Promise<Result>): Promise<Result> {
    this.running++
    try {
      return await work()
    } finally {
      this.running--
      void this.next()?.start()
    }
  }

  /** Takes the first work of the next party and moves that party to the end of the turn order. */
  private next(): Waiting | undefined {
    const [[party, line] = []] = this.waiting
    if (party === undefined || !line) return undefined
    const first = line.shift()
    this.length--
    this.waiting.delete(party)
    if (line.length > 0) this.waiting.set(party, line)
    return first
  }
}
