import { Counter } from 'prom-client'
import type { Config } from '../platform/config.ts'
import { installLogSink } from '../platform/log.ts'
import { ExportQueue, type Kind } from './export-queue.ts'
import { processAttributes } from './otlp.ts'
import { otlpLogs } from './otlp-logs.ts'
import { otlpSender } from './otlp-sender.ts'
import { registry } from './request-metrics.ts'

/** Lines of the log; one may hold the stack of an error. */
export const lines: Kind = {
  away: 'the collector takes no lines of the log',
  dropped: new Counter({
    name: 'billhook_log_records_dropped_total',
    help: 'Lines of the log that the collector did not get: "full", too many waited; "refused", it did not take them.',
    labelNames: ['reason'],
    registers: [registry],
  }),
}

/** Begins to send the log's lines. Returns how to send the rest and end. */
export function startLogExport(
  logs: NonNullable<Config['telemetry']['logs']>,
  service: Readonly<Record<string, string>>,
): () => Promise<void> {
  const send = otlpSender(logs)
  const attributes = processAttributes(service)
  const queue = new ExportQueue(lines, logs, (some) => send(otlpLogs(attributes, some)))
  installLogSink((line) => queue.add(line))
  return async () => {
    installLogSink(undefined)
    await queue.flush()
  }
}
