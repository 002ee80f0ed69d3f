import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { percentDecoded } from '../kernel/url.ts'
import { parsed, webAddress, whole } from './config-values.ts'

/**
 * Traces, metrics and logs by OpenTelemetry: its own variables. Those of an exporter hold for all three, or with `TRACES_`,
 * `METRICS_` or `LOGS_` before their last word for one
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
 */

const milliseconds = (least: number, most: number) =>
  whole(`must be milliseconds from ${least} to ${most}`, least, most)

/** `name=value`, comma separated, with values percent-encoded as in W3C Baggage. Null if it is anything else. */
function pairsOf(text: string): Readonly<Record<string, string>> | null {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  const named = pairs.map((pair) => {
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(pair) ?? []
    return [name, percentDecoded(value?.trim() ?? '')]
  })
  const isWhole = named.every(([name, value]) => name !== undefined && value !== null)
  return isWhole ? (Object.fromEntries(named) as Record<string, string>) : null
}

/** The content of a file; null if it cannot be read. */
function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

const pairs = parsed(
  pairsOf,
  'must be pairs, comma separated, with values percent-encoded, such as a=1,b=2%203',
).optional()
const pemFile = parsed(contentOf, 'must be the path of a file that can be read, in PEM format').optional()

const ofExporter = {
  ENDPOINT: webAddress('must be the http or https address of a collector, such as http://localhost:4318').optional(),
  PROTOCOL: z.literal('http/json', 'must be http/json: what is sent is JSON over HTTP').optional(),
  HEADERS: pairs,
  TIMEOUT: milliseconds(1, 600_000).optional(),
  COMPRESSION: z.enum(['none', 'gzip'], 'must be none or gzip').optional(),
  CERTIFICATE: pemFile,
  CLIENT_CERTIFICATE: pemFile,
  CLIENT_KEY: pemFile,
}
type OfExporter = typeof ofExporter
type Signal = 'TRACES' | 'METRICS' | 'LOGS'

const exporterVariables = <Prefix extends '' | `${Signal}_`>(prefix: Prefix) =>
  Object.fromEntries(
    Object.entries(ofExporter).map(([name, rule]) => [`OTEL_EXPORTER_OTLP_${prefix}${name}`, rule]),
  ) as { [Name in keyof OfExporter as `OTEL_EXPORTER_OTLP_${Prefix}${Name}`]: OfExporter[Name] }

const exporter = z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp')
const samplers = [
  ...['always_on', 'always_off', 'traceidratio'],
  ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
]

export const telemetryVariables = {
  ...exporterVariables(''),
  ...exporterVariables('TRACES_'),
  ...exporterVariables('METRICS_'),
  ...exporterVariables('LOGS_'),
  OTEL_TRACES_EXPORTER: exporter,
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_LOGS_EXPORTER: exporter,
  OTEL_SDK_DISABLED: z.string().default('false'),
  OTEL_SERVICE_NAME: z.string().max(255, 'must be at most 255 characters').optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_TRACES_SAMPLER: z.enum(samplers, `must be one of ${samplers.join(', ')}`).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((value) => /^(0(\.\d+)?|1(\.0+)?)$/.test(value), 'must be a part from 0 to 1, such as 0.1')
    .transform(Number)
    .default(1),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds(100, 3_600_000).default(60_000),
  OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: z
    .literal('cumulative', 'must be cumulative: counters are sent as they stand since the start of the process')
    .optional(),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds(10, 600_000).default(5_000),
  OTEL_BSP_MAX_QUEUE_SIZE: whole('must be a number of spans from 1 to 100000', 1, 100_000).default(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: whole('must be a number of spans from 1 to 100000', 1, 100_000).default(512),
  OTEL_BLRP_SCHEDULE_DELAY: milliseconds(10, 600_000).default(1_000),
  OTEL_BLRP_MAX_QUEUE_SIZE: whole('must be a number of log records from 1 to 100000', 1, 100_000).default(2_048),
  OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: whole('must be a number of log records from 1 to 100000', 1, 100_000).default(512),
}

type Values = z.output<z.ZodObject<typeof telemetryVariables>>

/** Where OTLP is sent to, and how. */
export interface Collector {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** How long an answer is awaited. */
  readonly timeoutMs: number
  readonly isCompressed: boolean
  /** In PEM format: the authority that the collector is checked by, and what this service shows of itself. */
  readonly tls: {
    readonly ca?: string | undefined
    readonly cert?: string | undefined
    readonly key?: string | undefined
  }
}

/** How what waits for a collector is put together. */
export interface Batches {
  /** How long something waits for more at most. */
  readonly delayMs: number
  readonly mostWaiting: number
  readonly mostAtOnce: number
}

export interface Traces extends Collector, Batches {
  readonly sampler: (typeof samplers)[number]
  /** For the samplers by ratio: the part of traces that is recorded. */
  readonly ratio: number
}

function batchesOf(value: Values, processor: 'BSP' | 'BLRP'): Batches {
  const mostWaiting = value[`OTEL_${processor}_MAX_QUEUE_SIZE`]
  const mostAtOnce = Math.min(value[`OTEL_${processor}_MAX_EXPORT_BATCH_SIZE`], mostWaiting)
  return { delayMs: value[`OTEL_${processor}_SCHEDULE_DELAY`], mostWaiting, mostAtOnce }
}

/** Null if nothing of this kind is sent. */
function collectorOf(value: Values, signal: Signal): Collector | null {
  const of = <Name extends keyof OfExporter>(name: Name) =>
    (value[`OTEL_EXPORTER_OTLP_${signal}_${name}`] ??
      value[`OTEL_EXPORTER_OTLP_${name}`]) as Values[`OTEL_EXPORTER_OTLP_${Name}`]
  const isOff = value[`OTEL_${signal}_EXPORTER`] === 'none' || value.OTEL_SDK_DISABLED.toLowerCase() === 'true'
  if (isOff || of('ENDPOINT') === undefined) return null
  const forAll = `${value.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '')}/v1/${signal.toLowerCase()}`
  return {
    url: value[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ?? forAll,
    headers: { ...value.OTEL_EXPORTER_OTLP_HEADERS, ...value[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`] },
    timeoutMs: of('TIMEOUT') ?? 10_000,
    isCompressed: of('COMPRESSION') === 'gzip',
    tls: { ca: of('CERTIFICATE'), cert: of('CLIENT_CERTIFICATE'), key: of('CLIENT_KEY') },
  }
}

export function telemetryOf(value: Values) {
  const traces = collectorOf(value, 'TRACES')
  const metrics = collectorOf(value, 'METRICS')
  const logs = collectorOf(value, 'LOGS')
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = value
  return {
    /** What is sent to a collector; without one nothing is. */
    telemetry: {
      /** Of the service, by the names of OpenTelemetry's conventions. */
      attributes: {
        'service.name': 'billhook',
        ...value.OTEL_RESOURCE_ATTRIBUTES,
        ...(value.OTEL_SERVICE_NAME !== undefined && { 'service.name': value.OTEL_SERVICE_NAME }),
      } as Readonly<Record<string, string>>,
      traces: traces && ({ ...traces, ...batchesOf(value, 'BSP'), sampler, ratio } satisfies Traces),
      metrics: metrics && { ...metrics, intervalMs: value.OTEL_METRIC_EXPORT_INTERVAL },
      logs: logs && { ...logs, ...batchesOf(value, 'BLRP') },
    },
  }
}
