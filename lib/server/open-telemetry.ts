import { randomUUID } from 'node:crypto'
import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api'
import { logs } from '@opentelemetry/api-logs'
import { NodeSDK, resources } from '@opentelemetry/sdk-node'
import { installLogSink, log } from '../platform/log.ts'
import { installTracer } from '../platform/tracing.ts'
import { logSink } from './log-export.ts'
import { startMetricsExport } from './metrics-export.ts'
import type { Role } from './role.ts'
import { openTelemetryTracer } from './tracing.ts'

export type Signal = 'TRACES' | 'METRICS' | 'LOGS'

const scope = 'billhook'
const mostProblems = 100

/** @returns a function that sends the remaining data and stops */
export async function startOpenTelemetry(signals: ReadonlySet<Signal>, role: Role): Promise<() => Promise<void>> {
  const { ofService, ofProcess } = ourResources()
  const sdk = new NodeSDK({
    autoDetectResources: false,
    resource: ofProcess,
    metricReaders: [],
    ...(!signals.has('TRACES') && { spanProcessors: [] }),
    ...(!signals.has('LOGS') && { logRecordProcessors: [] }),
    // Unless `OTEL_PROPAGATORS` is set, trace headers are ignored, so that an API caller cannot decide which traces are recorded.
    ...(!process.env.OTEL_PROPAGATORS && { textMapPropagator: null }),
  })
  if (!process.env.OTEL_LOG_LEVEL) reportProblems()
  sdk.start()
  if (signals.has('TRACES')) installTracer(openTelemetryTracer(trace.getTracer(scope)))
  if (signals.has('LOGS')) installLogSink(logSink(logs.getLogger(scope)))
  // With a global tracer, Next.js and Inngest would record page paths, which contain tokens.
  trace.disable()
  const stopMetrics = signals.has('METRICS') ? await startMetricsExport(ofService, ofProcess, role) : undefined
  return async () => {
    installTracer(undefined)
    installLogSink(undefined)
    for (const api of [context, propagation, logs]) api.disable()
    await Promise.all([sdk.shutdown(), stopMetrics?.()])
  }
}

/**
 * Gives each process its own instance id. An id from the environment would be the same in all processes, so the
 * processes would overwrite each other's counters.
 */
function ourResources() {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources
  const named = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': scope }))
    .merge(detectResources({ detectors: [envDetector] }))
  const { 'service.instance.id': _, ...attributes } = named.attributes
  const ofService = resourceFromAttributes(attributes)
  const ofProcess = resourceFromAttributes({ 'service.instance.id': randomUUID(), 'process.pid': process.pid })
  return { ofService, ofProcess: ofService.merge(ofProcess) }
}

/** Logs each problem of the SDK once, because an unreachable collector repeats its problem at each attempt. */
function reportProblems(): void {
  const known = new Set<string>()
  const report = (message: string) => {
    const [problem = ''] = (/"message":"((?:[^"\\]|\\.)*)/.exec(message)?.[1] ?? message).split('\n')
    if (known.has(problem) || known.size >= mostProblems) return
    known.add(problem)
    log.warn({ problem: problem.slice(0, 500) }, 'telemetry is incomplete')
  }
  const ignore = () => undefined
  const logger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}
