import { config } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { shortError } from '../platform/short-error.ts'
import { within } from '../platform/within.ts'
import { startLogExport } from './log-export.ts'
import { startMetricsExport } from './metrics-export.ts'
import type { Role } from './role.ts'
import { startTracing } from './tracing.ts'

/** A collector that does not answer must not hold up the end of the process. */
const flushMs = 2_000

/**
 * Begins to send traces, metrics and the log to a collector, as configured. Returns how to send the rest and end, which takes two
 * seconds at most. The database may be closed before.
 */
export async function startTelemetry(role: Role): Promise<() => Promise<void>> {
  const { attributes, traces, metrics, logs } = config().telemetry
  const ends = [
    ...(traces ? [startTracing(traces, attributes)] : []),
    ...(metrics ? [startMetricsExport(metrics, attributes, role)] : []),
    ...(logs ? [startLogExport(logs, attributes)] : []),
  ]
  return async () => {
    const outcomes = await Promise.allSettled(ends.map((end) => within(flushMs, end())))
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failure) log.warn({ error: shortError(failure.reason) }, 'not everything was sent to the collector')
  }
}
