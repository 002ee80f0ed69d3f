import { Counter } from 'prom-client'
import type { Config } from '../platform/config.ts'
import { installLogSink } from '../platform/log.ts'
import { Outage } from '../platform/outage.ts'
import { processAttributes } from './otlp.ts'
import { otlpLogs } from './otlp-logs.ts'
import { OtlpError, otlpSender } from './otlp-sender.ts'
import { registry } from './request-metrics.ts'

type Logs = NonNullable<Config['telemetry']['logs']>

/** Of characters, beside the bound of lines: a line may hold the stack of an error. */
const mostCharacters = 4 * 1024 * 1024
const [shortestPauseMs, longestPauseMs] = [1_000, 30_000]

const dropped = new Counter({
  name: 'billhook_log_records_dropped_total',
  help: 'Lines of the log that the collector did not get: "full", too many waited; "refused", it did not take them.',
  labelNames: ['reason'],
  registers: [registry],
})

/**
 * Lines on their way to a collector. They are sent in batches, one after the other. While the collector is away they wait, and
 * those for which there is no room are counted and dropped, so that logging never waits.
 */
export class LogQueue {
  private readonly lines: string[] = []
  private characters = 0
  private timer: NodeJS.Timeout | undefined
  private sending: Promise<void> | undefined
  private pauseMs = 0
  private readonly outage = new Outage('the collector takes no lines of the log')

  constructor(
    private readonly send: (lines: readonly string[]) => Promise<void>,
    private readonly limits: Pick<Logs, 'delayMs' | 'mostWaiting' | 'mostAtOnce'>,
  ) {}

  /** Takes a line, or drops it. */
  add(line: string): void {
    const { mostWaiting, mostAtOnce, delayMs } = this.limits
    if (this.lines.length >= mostWaiting || this.characters + line.length > mostCharacters) {
      dropped.inc({ reason: 'full' })
      return
    }
    this.lines.push(line)
    this.characters += line.length
    if (this.pauseMs > 0) return
    if (this.lines.length >= mostAtOnce) this.begin()
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
      if (this.lines.length > 0) this.beginIn(this.pauseMs)
    })
  }

  private async sendAll(): Promise<void> {
    while (this.lines.length > 0) {
      const batch = this.lines.slice(0, this.limits.mostAtOnce)
      try {
        await this.send(batch)
        this.outage.ends()
        this.pauseMs = 0
      } catch (error) {
        const isRetryable = error instanceof OtlpError && error.isRetryable
        // Before a line says so, which would be sent soon.
        if (isRetryable) this.pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, this.pauseMs * 2))
        this.outage.begins(error)
        if (isRetryable) return
        dropped.inc({ reason: 'refused' }, batch.length)
      }
      this.lines.splice(0, batch.length)
      this.characters -= batch.reduce((sum, { length }) => sum + length, 0)
    }
  }
}

/** Begins to send the log's lines. Returns how to send the rest and end. */
export function startLogExport(logs: Logs, service: Readonly<Record<string, string>>): () => Promise<void> {
  const send = otlpSender(logs)
  const attributes = processAttributes(service)
  const queue = new LogQueue((lines) => send(otlpLogs(attributes, lines)), logs)
  installLogSink((line) => queue.add(line))
  return async () => {
    installLogSink(undefined)
    await queue.flush()
  }
}
