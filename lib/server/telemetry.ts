import { log } from '../platform/log.ts'
import { shortError } from '../platform/short-error.ts'
import { within } from '../platform/within.ts'
import type { Signal } from './open-telemetry.ts'
import type { Role } from './role.ts'

/** A collector that does not answer delays the end of the process by at most this long. */
const flushMs = 2_000

/**
 * Starts to send traces, metrics, and the log to a collector, as the `OTEL_*` variables say. Without them, no package of
 * OpenTelemetry is loaded.
 * @returns how to send the rest and stop, within two seconds. The database may be closed before.
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

/** A signal needs an exporter or an endpoint: OpenTelemetry would otherwise send it to port 4318 of this machine. */
function isConfigured(signal: Signal): boolean {
  const { env } = process
  const exporter = env[`OTEL_${signal}_EXPORTER`]?.trim()
  if (exporter) return exporter !== 'none'
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`])
}
