import type { Config } from '../platform/config.ts'
import { installLogSink } from '../platform/log.ts'
import { droppedCounter, ExportQueue, type Kind } from './export-queue.ts'
import { processAttributes } from './otlp.ts'
import { otlpLogs } from './otlp-logs.ts'
import { otlpSender } from './otlp-sender.ts'

/** Lines of the log; one may hold the stack of an error. */
export const lines: Kind = {
  away: 'the collector takes no lines of the log',
  dropped: droppedCounter('billhook_log_records_dropped_total', 'Lines of the log'),
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
