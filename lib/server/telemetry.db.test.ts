import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { db } from '../platform/db/db.ts'
import { log } from '../platform/log.ts'
import { traced } from '../platform/tracing.ts'
import { configure } from '../testing/configure.ts'
import { aGate } from '../testing/gate.ts'
import { answered, aReceiver } from '../testing/receiver.ts'
import { uncached } from '../testing/uncached.ts'
import { metricsText } from './metrics.ts'
import { countRequest, registry } from './request-metrics.ts'
import { startTelemetry } from './telemetry.ts'

/** Metrics and lines of the log, as a collector gets them by OTLP/HTTP. */

const collector = await aReceiver()
configure({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-scope=test',
  OTEL_RESOURCE_ATTRIBUTES: 'service.instance.id=theirs,deployment.environment.name=test',
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
/** What was sent of metrics: by whom, and what. */
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
  // The next file has the same registry.
  registry.resetMetrics()
  log.level = level
  await collector.close()
})

describe('metrics', () => {
  it('are what /metrics says, of the process and of the database', async () => {
    countRequest({ method: 'GET', route: '/v1/orders', path: '/v1/orders', status: 200, seconds: 0.02 })
    await start('all')
    await expect.poll(() => [ofDatabase().length > 0, ofProcess().length > 0]).toEqual([true, true])
    await end()
    const text = await uncached(metricsText)
    // Of the event loop and of garbage collection there is not always a value.
    const steady = (names: (string | undefined)[]) =>
      names.filter((name) => !/^nodejs_(?:eventloop|gc)/.test(name ?? ''))
    const sent = [...(ofDatabase()[0]?.metrics ?? []), ...(ofProcess()[0]?.metrics ?? [])].map(({ name }) => name)
    const shown = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name)
    const withValues = shown.filter((name) => new RegExp(`^${name}(?:_count)?[{ ]`, 'm').test(text))
    expect(withValues.length).toBeGreaterThan(30)
    expect(steady(sent)).toEqual(steady(withValues))
    expect(to('/v1/metrics')[0]?.headers).toMatchObject({ 'x-scope': 'test', 'content-type': 'application/json' })
  })

  it('of a process name it, by an id of its own; those of the database name the service', async () => {
    await start('worker')
    await expect.poll(() => [ofDatabase().length > 0, ofProcess().length > 0]).toEqual([true, true])
    expect(ofProcess()[0]?.by).toEqual({
      'service.name': 'billhook',
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'process.pid': String(process.pid),
      'deployment.environment.name': 'test',
    })
    expect(ofDatabase()[0]?.by).toEqual({ 'service.name': 'billhook', 'deployment.environment.name': 'test' })
  })

  it('of the database are sent by one process, whichever has the turn, and by none that only answers requests', async () => {
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

  it('are sent once more at the end', async () => {
    await start('web')
    collector.requests.length = 0
    await end()
    expect(ofProcess().length).toBeGreaterThan(0)
  })
})

describe('lines of the log', () => {
  it('are sent with what they belong to, by the process that logged them', async () => {
    await start('all')
    await traced('work', {}, async () => log.warn({ code: 'P1001', attempts: 2 }, 'in a trace'))
    log.info('in none')
    await end()
    const [first, second] = records()
    expect(first).toMatchObject({ severityText: 'WARN', body: { stringValue: 'in a trace' } })
    expect(first && valuesOf(first.attributes)).toEqual({ code: 'P1001', attempts: '2' })
    const [span] = to('/v1/traces')[0]?.body.resourceSpans[0].scopeSpans[0].spans ?? []
    expect(first).toMatchObject({ traceId: span.traceId, spanId: span.spanId })
    expect(second).not.toHaveProperty('traceId')
    // Traces, metrics and logs of a process are found together.
    const resources = [
      to('/v1/traces')[0]?.body.resourceSpans[0].resource,
      to('/v1/logs')[0]?.body.resourceLogs[0].resource,
      to('/v1/metrics').at(-1)?.body.resourceMetrics[0].resource,
    ]
    expect(new Set(resources.map(({ attributes }) => valuesOf(attributes)['service.instance.id'])).size).toBe(1)
  })

  it('omit what the log omits', async () => {
    await start('all')
    log.info({ token: 'canary', of: { email: 'canary', key: 'canary', name: 'kept' } }, 'with secrets')
    await end()
    expect(to('/v1/logs').map(({ text }) => text)).toEqual([expect.stringContaining('kept')])
    expect(to('/v1/logs')[0]?.text).not.toContain('canary')
  })

  it('do not wait for a collector that hangs: those that do not fit are counted, in /metrics too', async () => {
    const gate = aGate()
    collector.answer = (response, { path }) =>
      path === '/v1/logs' ? gate.opened.then(() => response.end('{}')) : response.end('{}')
    await start('all')
    for (let n = 0; n < 50; n++) log.info({ n }, 'many')
    await expect.poll(() => to('/v1/logs').length).toBe(1)
    expect(await uncached(metricsText)).toMatch(/^billhook_log_records_dropped_total\{reason="full"\} 30$/m)
    gate.open()
    await end()
    expect(messages()).toEqual(Array(20).fill('many'))
  })

  it('are kept for a collector that comes back, and its absence is logged once', async () => {
    collector.answer = answered(503)
    await start('all')
    for (let n = 0; n < 5; n++) log.info('early')
    await expect.poll(() => to('/v1/logs').length).toBeGreaterThan(0)
    collector.answer = answered(200, {}, '{}')
    collector.requests.length = 0
    await end()
    const about = messages().filter((message) => message === 'the collector takes no lines of the log')
    expect([messages().slice(0, 5), about.length]).toEqual([Array(5).fill('early'), 1])
  })

  it('are not sent after the end', async () => {
    await start('all')
    await end()
    log.info('late')
    expect(messages()).toEqual([])
  })
})

describe('the end of the process', () => {
  it('is not held up by a collector that does not answer', async () => {
    collector.answer = () => undefined
    await start('all')
    await traced('work', {}, async () => log.info('in a trace'))
    await end()
    expect(to('/v1/logs')).toHaveLength(1)
  })
})

describe('without a collector', () => {
  it('nothing is sent', async () => {
    configure({ OTEL_SDK_DISABLED: 'true' })
    await start('all')
    log.info('to nobody')
    await end()
    configure({ OTEL_SDK_DISABLED: undefined })
    expect(collector.requests).toEqual([])
  })
})
