import { describe, expect, it } from 'vitest'
import { InvalidConfig, readConfig } from './config.ts'

const least = { SECRET_KEY: 'k'.repeat(32), DATABASE_URL: 'postgresql://billhook@localhost/billhook' }
const read = (set: Record<string, string>) => readConfig({ ...least, ...set }).telemetry
const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318'

const off = { attributes: { 'service.name': 'billhook' }, traces: null, metrics: null, logs: null }
const collector = { headers: {}, timeoutMs: 10_000, isCompressed: false, tls: {} }
const traces = {
  ...collector,
  url: 'http://localhost:4318/v1/traces',
  delayMs: 5_000,
  mostWaiting: 2_048,
  mostAtOnce: 512,
  sampler: 'parentbased_always_on',
  ratio: 1,
}
const metrics = { ...collector, url: 'http://localhost:4318/v1/metrics', intervalMs: 60_000 }
const logs = { ...collector, url: 'http://localhost:4318/v1/logs', delayMs: 1_000, mostWaiting: 2_048, mostAtOnce: 512 }

describe('what is sent to a collector', () => {
  it.each<[Record<string, string>, object]>([
    [{}, off],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT }, { ...off, traces, metrics, logs }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: `${OTEL_EXPORTER_OTLP_ENDPOINT}/` }, { ...off, traces, metrics, logs }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' }, off],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
      { ...off, metrics, logs },
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_METRICS_EXPORTER: 'none' },
      { ...off, traces, logs },
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_LOGS_EXPORTER: 'none' },
      { ...off, traces, metrics },
    ],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' }, { ...off, traces }],
    [
      { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://m.example/here' },
      { ...off, metrics: { ...metrics, url: 'https://m.example/here' } },
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'https://l.example' },
      { ...off, traces, metrics, logs: { ...logs, url: 'https://l.example' } },
    ],
  ])('%j', (set, expected) => {
    expect(read(set)).toEqual(expected)
  })

  it.each<[Record<string, string>, object]>([
    [{ OTEL_SERVICE_NAME: 'shop' }, { attributes: { 'service.name': 'shop' } }],
    [
      { OTEL_RESOURCE_ATTRIBUTES: 'service.name=shop, deployment.environment.name=a%20b%2Cc' },
      { attributes: { 'service.name': 'shop', 'deployment.environment.name': 'a b,c' } },
    ],
    [
      { OTEL_SERVICE_NAME: 'shop', OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,x=1,' },
      { attributes: { 'service.name': 'shop', x: '1' } },
    ],
    [
      {
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3D,x=1',
        OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'X-Scope=logs,x=2',
      },
      {
        traces: { ...traces, headers: { authorization: 'Bearer a=', x: '1' } },
        metrics: { ...metrics, headers: { authorization: 'Bearer a=', x: '1' } },
        logs: { ...logs, headers: { authorization: 'Bearer a=', 'X-Scope': 'logs', x: '2' } },
      },
    ],
    [
      { OTEL_EXPORTER_OTLP_TIMEOUT: '500', OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '700' },
      {
        traces: { ...traces, timeoutMs: 500 },
        metrics: { ...metrics, timeoutMs: 700 },
        logs: { ...logs, timeoutMs: 500 },
      },
    ],
    [
      { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip', OTEL_EXPORTER_OTLP_LOGS_COMPRESSION: 'none' },
      { traces: { ...traces, isCompressed: true }, metrics: { ...metrics, isCompressed: true }, logs },
    ],
    [
      { OTEL_METRIC_EXPORT_INTERVAL: '15000', OTEL_BLRP_SCHEDULE_DELAY: '200', OTEL_BLRP_MAX_QUEUE_SIZE: '100' },
      {
        metrics: { ...metrics, intervalMs: 15_000 },
        logs: { ...logs, delayMs: 200, mostWaiting: 100, mostAtOnce: 100 },
      },
    ],
    [{ OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: '10' }, { logs: { ...logs, mostAtOnce: 10 } }],
    [
      { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_BSP_MAX_QUEUE_SIZE: '50', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '20' },
      { traces: { ...traces, delayMs: 100, mostWaiting: 50, mostAtOnce: 20 } },
    ],
    [
      { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
      { traces: { ...traces, sampler: 'parentbased_traceidratio', ratio: 0.1 } },
    ],
  ])('by %j', (set, expected) => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT, ...set })).toEqual({ ...off, traces, metrics, logs, ...expected })
  })

  it('has the certificates of files', () => {
    const { metrics } = read({
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_CERTIFICATE: import.meta.filename,
      OTEL_EXPORTER_OTLP_CLIENT_KEY: import.meta.filename,
    })
    expect(metrics?.tls).toEqual({ ca: expect.stringContaining('certificates of files'), key: metrics?.tls.ca })
  })
})

it.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
  ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'localhost:4318'],
  ['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', '/v1/logs'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL', 'http/protobuf'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
  ['OTEL_EXPORTER_OTLP_LOGS_HEADERS', 'a b=c'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%ff'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s'],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'br'],
  ['OTEL_EXPORTER_OTLP_CERTIFICATE', '/nowhere/ca.pem'],
  ['OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE', 'delta'],
  ['OTEL_RESOURCE_ATTRIBUTES', '=x'],
  ['OTEL_TRACES_EXPORTER', 'zipkin'],
  ['OTEL_METRICS_EXPORTER', 'prometheus'],
  ['OTEL_LOGS_EXPORTER', 'console'],
  ['OTEL_METRIC_EXPORT_INTERVAL', '99'],
  ['OTEL_METRIC_EXPORT_INTERVAL', '60s'],
  ['OTEL_BLRP_SCHEDULE_DELAY', '0'],
  ['OTEL_BLRP_MAX_QUEUE_SIZE', '0'],
  ['OTEL_BLRP_MAX_EXPORT_BATCH_SIZE', '100001'],
  ['OTEL_BSP_SCHEDULE_DELAY', '9'],
  ['OTEL_BSP_MAX_QUEUE_SIZE', '0'],
  ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '100001'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
])('refuses %s=%s with one sentence that names the variable', (variable, value) => {
  try {
    read({ [variable]: value })
    expect.fail('it was taken')
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error
    expect(error.sentences).toEqual([expect.stringMatching(new RegExp(`^${variable} must be .*\\.$`))])
  }
})
