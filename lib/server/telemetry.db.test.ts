import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { db } from '../platform/db/db.ts'
import { log } from '../platform/log.ts'
import { isTracing, traceContext, traced } from '../platform/tracing.ts'
import { configure } from '../testing/configure.ts'
import { aGate } from '../testing/gate.ts'
import { answered, aReceiver } from '../testing/receiver.ts'
import { uncached } from '../testing/uncached.ts'
import { metricsText } from './metrics.ts'
import { countRequest, registry } from './request-metrics.ts'
import { startTelemetry } from './telemetry.ts'

const collector = await aReceiver()
configure({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-scope=test',
  OTEL_RESOURCE_ATTRIBUTES: 'service.instance.id=configured,deployment.environment.name=test',
  OTEL_METRIC_EXPORT_INTERVAL: '100',
  OTEL_BLRP_SCHEDULE_DELAY: '10',
  OTEL_BLRP_MAX_QUEUE_SIZE: '20',
})

type Attributes = readonly { readonly key: string; readonly value: object }[]
interface Metric {
  readonly name: string
  readonly gauge?: { readonly dataPoints: readonly { readonly attributes: Attributes; readonly asDouble: number }[] }
}
interface LogRecord {
  readonly body: { readonly stringValue: string }
  readonly attributes: Attributes
  readonly traceId?: string
  readonly spanId?: string
}

const to = (path: string) => collector.requests.filter((request) => request.path === path)
const valuesOf = (attributes: Attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
const pushes = () =>
  to('/v1/metrics').map(({ body }) => {
    const [{ resource, scopeMetrics }] = body.resourceMetrics
    return { by: valuesOf(resource.attributes), metrics: scopeMetrics[0].metrics as Metric[] }
  })
const ofDatabase = () => pushes().filter(({ metrics }) => metrics.some(({ name }) => name === 'billhook_tasks_due'))
const ofProcess = () => pushes().filter(({ metrics }) => metrics.some(({ name }) => name.startsWith('process_')))
const records = (): LogRecord[] => to('/v1/logs').flatMap(({ body }) => body.resourceLogs[0].scopeLogs[0].logRecords)
const messages = () => records().map(({ body }) => body.stringValue)

let ends: (() => Promise<void>)[]
const start = async (role: 'all' | 'web' | 'worker' | 'tasks') => {
  ends.push(await startTelemetry(role))
}
const end = async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
}

const { level } = log
beforeAll(() => {
  log.level = 'info'
})
beforeEach(async () => {
  ends = []
  collector.requests.length = 0
  collector.answer = answered(200, {}, '{}')
  await db().rate_limits.deleteMany()
})
afterEach(end)
afterAll(async () => {
  // The next test file uses the same metrics registry, so its counters must start at zero.
  registry.resetMetrics()
  log.level = level
  await collector.close()
})

describe('metrics', () => {
  it('the exported metrics of the process and the database have the same names as in /metrics', async () => {
    countRequest({ method: 'GET', route: '/v1/orders', path: '/v1/orders', status: 200, seconds: 0.02 })
    await start('all')
    await expect.poll(() => [ofDatabase().length > 0, ofProcess().length > 0]).toEqual([true, true])
    await end()
    const text = await uncached(metricsText)
    const steady = (names: (string | undefined)[]) =>
      names.filter((name) => !/^nodejs_(?:eventloop|gc)/.test(name ?? ''))
    const sent = [...(ofDatabase()[0]?.metrics ?? []), ...(ofProcess()[0]?.metrics ?? [])].map(({ name }) => name)
    const shown = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name)
    const withValues = shown.filter((name) => new RegExp(`^${name}(?:_count)?[{ ]`, 'm').test(text))
    expect(withValues.length).toBeGreaterThan(30)
    expect(steady(sent)).toEqual(steady(withValues))
    expect(to('/v1/metrics')[0]?.headers).toMatchObject({ 'x-scope': 'test', 'content-type': 'application/json' })
  })

  it('process metrics have the id of the process, and database metrics have the name of the service', async () => {
    await start('worker')
    await expect.poll(() => [ofDatabase().length > 0, ofProcess().length > 0]).toEqual([true, true])
    const ofSdk = {
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.version': expect.any(String),
    }
    const ofService = { ...ofSdk, 'service.name': 'billhook', 'deployment.environment.name': 'test' }
    expect(ofDatabase()[0]?.by).toEqual(ofService)
    expect(ofProcess()[0]?.by).toEqual({
      ...ofService,
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'process.pid': process.pid,
    })
  })

  it('the database metrics are exported by one worker process and by no web process', async () => {
    await db().rate_limits.create({ data: { key: 'turn metrics', arrival: new Date(Date.now() + 3_600_000) } })
    await start('all')
    await expect.poll(() => ofProcess().length).toBeGreaterThan(3)
    expect(ofDatabase()).toEqual([])
    await end()
    await db().rate_limits.deleteMany()
    collector.requests.length = 0
    await start('web')
    await expect.poll(() => ofProcess().length).toBeGreaterThan(3)
    expect(ofDatabase()).toEqual([])
    await start('tasks')
    await expect.poll(() => ofDatabase().length).toBeGreaterThan(0)
  })

  it('a process sends its metrics once more when it ends', async () => {
    await start('web')
    collector.requests.length = 0
    await end()
    expect(ofProcess().length).toBeGreaterThan(0)
  })
})

describe('exported log lines', () => {
  it('an exported log line has the id of its trace and the id of its process', async () => {
    await start('all')
    await traced('work', {}, async () => log.warn({ code: 'P1001', attempts: 2 }, 'in a trace'))
    log.info('in none')
    await end()
    const [first, second] = records()
    expect(first).toMatchObject({ severityText: 'WARN', body: { stringValue: 'in a trace' } })
    expect(first && valuesOf(first.attributes)).toEqual({ code: 'P1001', attempts: 2 })
    const [span] = to('/v1/traces')[0]?.body.resourceSpans[0].scopeSpans[0].spans ?? []
    expect(first).toMatchObject({ traceId: span.traceId, spanId: span.spanId })
    expect(second).not.toHaveProperty('traceId')
    const resources = [
      to('/v1/traces')[0]?.body.resourceSpans[0].resource,
      to('/v1/logs')[0]?.body.resourceLogs[0].resource,
      to('/v1/metrics').at(-1)?.body.resourceMetrics[0].resource,
    ]
    expect(new Set(resources.map(({ attributes }) => valuesOf(attributes)['service.instance.id'])).size).toBe(1)
  })

  it('exported log lines omit the same values as the log on the console', async () => {
    await start('all')
    log.info({ token: 'canary', of: { email: 'canary', key: 'canary', name: 'kept' } }, 'with secrets')
    await end()
    expect(to('/v1/logs').map(({ text }) => text)).toEqual([expect.stringContaining('kept')])
    expect(to('/v1/logs')[0]?.text).not.toContain('canary')
  })

  it('logging continues if the collector hangs, and the SDK drops lines beyond its queue limit', async () => {
    const gate = aGate()
    collector.answer = (response, { path }) =>
      path === '/v1/logs' ? gate.opened.then(() => response.end('{}')) : response.end('{}')
    await start('all')
    for (let n = 0; n < 100; n++) log.info({ n }, 'many')
    await expect.poll(() => to('/v1/logs').length).toBe(1)
    gate.open()
    await end()
    const arrived = messages().filter((message) => message === 'many').length
    expect([arrived >= 20, arrived < 100]).toEqual([true, true])
  })

  it('log lines are exported again after the collector becomes available', async () => {
    collector.answer = answered(503)
    await start('all')
    const early = Array.from({ length: 5 }, (_, n) => `early ${n}`)
    for (const message of early) log.info(message)
    await expect.poll(() => to('/v1/logs').length).toBeGreaterThan(0)
    collector.answer = answered(200, {}, '{}')
    collector.requests.length = 0
    // A repeated export can deliver a line twice, because the SDK does not know whether the first export arrived.
    await expect.poll(() => [...new Set(messages())].toSorted()).toEqual(early)
  })

  it('if the collector refuses log lines repeatedly, the problem is reported once', async () => {
    const warn = vi.spyOn(log, 'warn')
    collector.answer = answered(400)
    await start('web')
    for (const expected of [1, 2]) {
      log.info('refused')
      await expect.poll(() => to('/v1/logs').length).toBeGreaterThanOrEqual(expected)
    }
    await end()
    const about = warn.mock.calls.filter(([, message]) => message === 'telemetry is incomplete')
    const problems = about.map(([fields]) => (fields as { problem?: string }).problem)
    expect(problems).toContainEqual(expect.stringContaining('Bad Request'))
    expect(problems).toEqual([...new Set(problems)])
    warn.mockRestore()
  })

  it('no log lines are exported after telemetry has stopped', async () => {
    await start('all')
    await end()
    log.info('late')
    expect(messages()).toEqual([])
  })
})

describe('disabled telemetry', () => {
  it('a process without a configured collector exports nothing, not even to the default port of OpenTelemetry', async () => {
    const endpoint = process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    configure({ OTEL_EXPORTER_OTLP_ENDPOINT: undefined })
    const installed = async () => {
      await start('all')
      const found = await traced('work', {}, async () => ({ isTracing: isTracing(), trace: traceContext() }))
      await end()
      return found
    }
    expect(await installed()).toEqual({ isTracing: false, trace: null })
    // One configured signal starts only the export of this signal.
    configure({ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${endpoint}/v1/logs` })
    await start('all')
    log.info('only logs')
    await traced('work', {}, async () => undefined)
    await end()
    configure({ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: undefined, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    expect(new Set(collector.requests.map(({ path }) => path))).toEqual(new Set(['/v1/logs']))
    expect(messages()).toContain('only logs')
    expect(await installed()).toEqual({ isTracing: true, trace: expect.any(String) })
  })

  it('a process with OTEL_SDK_DISABLED=true sends no telemetry', async () => {
    configure({ OTEL_SDK_DISABLED: 'true' })
    await start('all')
    log.info('to nobody')
    await end()
    configure({ OTEL_SDK_DISABLED: undefined })
    expect(collector.requests).toEqual([])
  })
})

describe('the OTLP protocol', () => {
  it('the default protocol of traces, metrics, and logs is http/protobuf', async () => {
    configure({ OTEL_EXPORTER_OTLP_PROTOCOL: undefined })
    await start('all')
    await traced('work', {}, async () => log.info('in a trace'))
    await end()
    configure({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })
    const types = collector.requests.map(({ path, headers }) => `${path} ${headers['content-type']}`)
    expect(new Set(types)).toEqual(
      new Set(['/v1/traces', '/v1/metrics', '/v1/logs'].map((path) => `${path} application/x-protobuf`)),
    )
  })

  it('OTEL_EXPORTER_OTLP_PROTOCOL=grpc applies to traces, metrics, and logs', async () => {
    const paths = new Set<string>()
    const server = createServer().on('stream', (stream, headers) => {
      paths.add(String(headers[':path']))
      stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.resume().on('end', () => stream.end(Buffer.alloc(5)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const before = {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_ENDPOINT: process.env.OTEL_EXPORTER_OTLP_ENDPOINT,
    }
    configure({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
    await start('web')
    await traced('work', {}, async () => log.info('in a trace'))
    await end()
    configure(before)
    server.close()
    expect([...paths].sort()).toEqual([
      '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
      '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
      '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    ])
  })
})
