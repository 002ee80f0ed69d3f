/** There is no room to wait: it is to be tried again later. */
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
 * Work of several parties, so much of it at once and the rest in a line. Each party in turn has one thing done, so that one with much to do
 * does not hold up one with little; nor can it fill the line, of which it has a part at most. Counted per process.
 */
export class WorkQueue {
  private readonly waiting = new Map<string, Waiting[]>()
  private length = 0
  private running = 0

  constructor(
    private readonly limits: {
      readonly atOnce: number
      /** How much waits at most, of all parties and of one. */
      readonly most: number
      readonly mostOfOne: number
      /** What is told when there is no room. */
      readonly retryAfterSeconds: number
    },
  ) {}

  /** Does the work when its turn has come. Throws `Busy` at once where there is no room for it. */
  async run<Result>(party: string, work: () => Promise<Result>): Promise<Result> {
    const { atOnce, most, mostOfOne, retryAfterSeconds } = this.limits
    if (this.running < atOnce) return this.done(work)
    const line = this.waiting.get(party) ?? []
    if (this.length >= most || line.length >= mostOfOne) throw new Busy(retryAfterSeconds)
    return new Promise((resolve, reject) => {
      line.push({
        start: () => this.done(work).then(resolve, reject),
        drop: () => reject(new Busy(retryAfterSeconds)),
      })
      this.waiting.set(party, line)
      this.length++
    })
  }

  /** Nothing that waits is done any more: each is told `Busy`. */
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

  /** The first of the party whose turn it is; then it is the turn of all others before its own. */
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
