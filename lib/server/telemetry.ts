import { log } from '../platform/log.ts'
import { shortError } from '../platform/short-error.ts'
import { within } from '../platform/within.ts'
import type { Signal } from './open-telemetry.ts'
import type { Role } from './role.ts'

/** The longest delay, in milliseconds, that an unresponsive collector causes when the process ends. */
const flushMs = 2_000

/**
 * Sends traces, metrics, and logs as configured by the `OTEL_*` variables. Without these variables, no OpenTelemetry
 * package is loaded.
 * @returns a function that sends the remaining data and stops the export within two seconds, even without a database
 * connection
 */
export async function startTelemetry(role: Role): Promise<() => Promise<void>> {
  const isDisabled = process.env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true'
  const signals = (['TRACES', 'METRICS', 'LOGS'] as const).filter(isConfigured)
  if (isDisabled || signals.length === 0) return async () => undefined
  const { startOpenTelemetry } = await import('./open-telemetry.ts')
  const stop = await startOpenTelemetry(new Set(signals), role)
  return () =>
    within(flushMs, stop()).catch((error) =>
      log.warn({ error: shortError(error) }, 'some telemetry was not sent to the collector'),
    )
}

/** Without this check, OpenTelemetry would send an unconfigured signal to local port 4318. */
function isConfigured(signal: Signal): boolean {
  const { env } = process
  const exporter = env[`OTEL_${signal}_EXPORTER`]?.trim()
  if (exporter) return exporter !== 'none'
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`])
}
