import { diag } from '@opentelemetry/api'
import { core, type resources, metrics as sdk } from '@opentelemetry/sdk-node'
import { takeTurn } from '../platform/db/turn.ts'
import { Outage } from '../platform/outage.ts'
import type { Metric } from './metric.ts'
import { metricData } from './metric-data.ts'
import { databaseMetrics } from './metrics.ts'
import { registry } from './request-metrics.ts'
import type { Role } from './role.ts'

/**
 * The duration of the lease on the export of the database metrics, as a fraction of the export interval. The lease must
 * end before the next export, whose timer can fire early.
 */
const turnPart = 0.9

const otlpExporters = {
  grpc: () => import('@opentelemetry/exporter-metrics-otlp-grpc'),
  'http/json': () => import('@opentelemetry/exporter-metrics-otlp-http'),
  'http/protobuf': () => import('@opentelemetry/exporter-metrics-otlp-proto'),
}

/**
 * Each process exports its own counts. Only one of the processes that run tasks exports the metrics of the database.
 * @returns a function that exports this process's counts once more and stops
 */
export async function startMetricsExport(
  ofService: resources.Resource,
  ofProcess: resources.Resource,
  role: Role,
): Promise<() => Promise<void>> {
  const intervalMs = positive('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000
  const hasTurn = () => takeTurn('metrics', intervalMs * turnPart)
  let isStopping = false
  const own = await provider(ofProcess, intervalMs, processMetrics)
  const database =
    role === 'web'
      ? undefined
      : await provider(ofService, intervalMs, async () => (!isStopping && (await hasTurn()) ? databaseMetrics() : []))
  return async () => {
    isStopping = true
    await Promise.all([own.shutdown(), database?.shutdown()])
  }
}

/** The types of `prom-client` declare metric types as numbers, but the values are strings. */
const processMetrics = async () => (await registry.getMetricsAsJSON()) as unknown as readonly Metric[]

async function provider(
  resource: resources.Resource,
  exportIntervalMillis: number,
  read: () => Promise<readonly Metric[]>,
): Promise<sdk.MeterProvider> {
  const exportTimeoutMillis = Math.min(positive('OTEL_METRIC_EXPORT_TIMEOUT') ?? 30_000, exportIntervalMillis)
  const exporters = await exportersOfEnvironment()
  const readers = exporters.map(
    (exporter) =>
      new sdk.PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis,
        exportTimeoutMillis,
        metricProducers: [producer(resource, read)],
      }),
  )
  return new sdk.MeterProvider({ resource, readers })
}

/** Returns a producer that reads the metrics. The producer logs only the first of consecutive failed reads. */
function producer(resource: resources.Resource, read: () => Promise<readonly Metric[]>): sdk.MetricProducer {
  const outage = new Outage('the metrics for the collector could not be read')
  return {
    async collect() {
      const metrics = await read().catch((error) => outage.begins(error))
      if (metrics) outage.ends()
      const data = (metrics ?? []).flatMap(metricData)
      const scopeMetrics = data.length > 0 ? [{ scope: { name: 'billhook' }, metrics: data }] : []
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
    },
  }
}

/** Replaces the exporters that the SDK creates from `OTEL_*`, because those exporters would lack our metric producer. */
async function exportersOfEnvironment(): Promise<sdk.PushMetricExporter[]> {
  const exporters: sdk.PushMetricExporter[] = []
  for (const name of core.getStringListFromEnv('OTEL_METRICS_EXPORTER') ?? ['otlp']) {
    if (name === 'console') exporters.push(new sdk.ConsoleMetricExporter())
    else if (name === 'otlp') exporters.push(await otlpExporter())
    else diag.warn(`OTEL_METRICS_EXPORTER is otlp, console, or none. Prometheus reads /metrics. Ignored: "${name}".`)
  }
  return exporters
}

async function otlpExporter(): Promise<sdk.PushMetricExporter> {
  const variables = ['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']
  const protocol = variables.map(core.getStringFromEnv).find((value) => value !== undefined) ?? 'http/protobuf'
  const isKnown = Object.hasOwn(otlpExporters, protocol)
  if (!isKnown) diag.warn(`Unsupported OTLP metrics protocol: "${protocol}". Using http/protobuf.`)
  const { OTLPMetricExporter } =
    await otlpExporters[isKnown ? (protocol as keyof typeof otlpExporters) : 'http/protobuf']()
  return new OTLPMetricExporter()
}

/**
 * Returns the number in an environment variable. Returns undefined for zero and negative numbers, because the SDK
 * ignores them too.
 */
function positive(variable: string): number | undefined {
  const value = core.getNumberFromEnv(variable)
  return value !== undefined && value > 0 ? value : undefined
}
