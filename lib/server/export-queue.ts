import { Counter } from 'prom-client'
import type { Batches } from '../platform/config-telemetry.ts'
import { Outage } from '../platform/outage.ts'
import { OtlpError } from './otlp-sender.ts'
import { registry } from './request-metrics.ts'

/** Characters that wait in one queue at most, beside the bound of their number. */
const mostCharacters = 4 * 1024 * 1024
const [shortestPauseMs, longestPauseMs] = [1_000, 30_000]

/** What is sent, as texts: lines of the log, or spans. */
export interface Kind {
  /** What the log says, once, while the collector does not take them. */
  readonly away: string
  readonly dropped: Counter<'reason'>
}

/** Counts those that the collector did not get. */
export const droppedCounter = (name: string, what: string): Counter<'reason'> =>
  new Counter({
    name,
    help: `${what} that the collector did not get: "full", too many waited; "refused", it did not take them.`,
    labelNames: ['reason'],
    registers: [registry],
  })

/**
 * What is on its way to a collector. It is sent in batches, one after the other. While the collector is away it waits, and that
 * for which there is no room is counted and dropped, so that nobody ever waits for a collector.
 */
export class ExportQueue {
  private readonly items: string[] = []
  private characters = 0
  private readonly outage: Outage
  private timer: NodeJS.Timeout | undefined
  private sending: Promise<void> | undefined
  private pauseMs = 0

  constructor(
    private readonly kind: Kind,
    private readonly limits: Batches,
    private readonly send: (items: readonly string[]) => Promise<void>,
  ) {
    this.outage = new Outage(kind.away)
  }

  /** Takes an item, or drops it. */
  add(item: string): void {
    const { mostWaiting, mostAtOnce, delayMs } = this.limits
    if (this.items.length >= mostWaiting || this.characters + item.length > mostCharacters) {
      this.kind.dropped.inc({ reason: 'full' })
      return
    }
    this.items.push(item)
    this.characters += item.length
    if (this.pauseMs > 0) return
    if (this.items.length >= mostAtOnce) this.begin()
    else this.beginIn(delayMs)
  }

  /** Sends what waits. Ends when nothing does, or when the collector does not take it. */
  async flush(): Promise<void> {
    await this.sending
    this.begin()
    await this.sending
  }

  private beginIn(ms: number): void {
    this.timer ??= setTimeout(() => this.begin(), ms).unref()
  }

  private begin(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined
      if (this.items.length > 0) this.beginIn(this.pauseMs)
    })
  }

  private async sendAll(): Promise<void> {
    while (this.items.length > 0) {
      const batch = this.items.slice(0, this.limits.mostAtOnce)
      try {
        await this.send(batch)
        this.outage.ends()
        this.pauseMs = 0
      } catch (error) {
        const isRetryable = error instanceof OtlpError && error.isRetryable
        // Before a line says so, which would be sent soon.
        // One that refuses what it was sent is there.
        this.pauseMs = isRetryable ? Math.min(longestPauseMs, Math.max(shortestPauseMs, this.pauseMs * 2)) : 0
        this.outage.begins(error)
        if (isRetryable) return
        this.kind.dropped.inc({ reason: 'refused' }, batch.length)
      }
      this.items.splice(0, batch.length)
      this.characters -= batch.reduce((sum, { length }) => sum + length, 0)
    }
  }
}
