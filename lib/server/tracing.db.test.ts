import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { trace } from '@opentelemetry/api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { db } from '../platform/db/db.ts'
import { notRouted } from '../platform/http/keyless.ts'
import { log } from '../platform/log.ts'
import { isTracing, traceContext, traced } from '../platform/tracing.ts'
import { endpoints, routes } from '../testing/api.ts'
import { configure } from '../testing/configure.ts'
import * as factories from '../testing/factories.ts'
import { answered, aReceiver } from '../testing/receiver.ts'
import { aCatalogue, aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../testing/shop.ts'
import { submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { chooseOutcome } from '../workflows/test-payment-page/submit-test-payment.ts'
import { type Listener, listen } from './listen.ts'
import { startTelemetry } from './telemetry.ts'

const collector = await aReceiver()
configure({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_SERVICE_NAME: 'billhook-of-the-test',
  OTEL_BSP_SCHEDULE_DELAY: '20',
})

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
  readonly links?: readonly { readonly traceId: string }[]
  readonly status: { readonly code?: number }
}

const sentTo = (path: string) => collector.requests.filter((request) => request.path === path)
const spans = (): Span[] =>
  sentTo('/v1/traces').flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Confidential texts that no trace, metric, or log line may contain. */
const canaries = {
  name: 'Cordelia Quicksilver',
  email: 'cordelia.quicksilver@canary.example',
  street: 'Canary Wharf 47',
  secret: 'whsec_canary_0123456789',
  key: 'canary-idempotency-key',
}

let shop: Shop
let receiver: Awaited<ReturnType<typeof aReceiver>>
let listener: Listener
let stop: () => Promise<void> = async () => undefined
const buyer = { pay: async (_path: string) => undefined as unknown }
const ask = (line: string, body?: object, headers: Record<string, string> = {}) => {
  const [method = '', path = ''] = line.split(' ')
  return fetch(`http://127.0.0.1:${listener.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${shop.testKey}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
}

const probe = () => new Response('live')
beforeAll(async () => {
  listener = await listen({
    port: 0,
    clientAddressHeader: null,
    baseUrl: 'http://billhook.test',
    routes: [...routes, ...['/livez', '/readyz', '/metrics'].map((path) => ({ path, methods: { GET: probe } }))],
    notRouted,
    pages: async (message, response) => {
      await buyer.pay(message.url ?? '')
      response.writeHead(200).end()
    },
    report: (error) => expect.fail(String(error)),
  })
})
beforeEach(async () => {
  await db().tasks.deleteMany()
  shop = await aShop()
  receiver = await aReceiver()
  await factories.anEndpoint(shop.testKey, receiver.url, {
    secret: canaries.secret,
    enabledEvents: ['checkout.paid', 'subscription.started', 'order.paid'],
  })
  await runDueTasks()
  collector.requests.length = 0
  collector.answer = answered(200, { 'content-type': 'application/json' }, '{}')
  stop = await startTelemetry('all')
})
afterEach(async () => {
  await stop()
  await receiver.close()
})
afterAll(async () => {
  await listener.close(0)
  await collector.close()
})

async function restart(variables: Record<string, string>): Promise<void> {
  await stop()
  configure(variables)
  stop = await startTelemetry('all')
}

async function sale() {
  const { planId } = await aCatalogue(shop)
  const created = await ask('POST /v1/checkouts', factories.checkoutBody(planId), { 'idempotency-key': canaries.key })
  expect(created.status).toBe(201)
  const { links } = (await created.json()) as { links: { checkoutUrl: { href: string } } }
  const token = tokenOf(links.checkoutUrl.href)
  buyer.pay = async () => {
    const form = buyerForm({ fullName: canaries.name, email: canaries.email, streetAndNumber: canaries.street })
    const next = await submitCheckout(token, form, germanVisitor)
    if (!next) throw new Error('the form was not taken')
    return chooseOutcome(tokenOf(next.redirectTo), new URLSearchParams({ outcome: 'paid', mandate: 'valid' }))
  }
  expect((await ask(`POST /checkout/${token}`)).status).toBe(200)
  await runDueTasks()
  await stop()
  return { token }
}

describe('the trace of a sale', () => {
  it('the trace of a sale is one tree with the request, provider call, transaction, statement, task, and delivery', async () => {
    await sale()
    const root = spans().find(({ name }) => name === 'POST /checkout/…')
    if (!root) {
      const names = spans().map(({ name }) => name)
      throw new Error(`No root span: ${names.join(', ')}`)
    }
    const tree = spans().filter(({ traceId }) => traceId === root.traceId)
    const ids = new Set(tree.map(({ spanId }) => spanId))
    expect(ids.size).toBe(tree.length)
    expect(tree.filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId))).toEqual([root])
    const names = [...new Set(tree.map(({ name }) => name))]
    for (const name of ['transaction', 'INSERT events', 'SELECT checkout_lines', 'delivery'])
      expect(names).toContain(name)
    for (const kind of ['provider sandbox ', 'task '])
      expect([kind, names.some((name) => name.startsWith(kind))]).toEqual([kind, true])
    const delivered = tree.filter(({ name }) => name === 'delivery')
    expect(delivered).toHaveLength(receiver.events().length)
    expect(
      receiver
        .events()
        .map(({ body }) => body.eventName)
        .sort(),
    ).toEqual(['checkout.paid', 'order.paid', 'subscription.started'])
    for (const span of delivered) expect(attributesOf(span)).toMatchObject({ 'http.response.status_code': 200 })
    expect(attributesOf(root)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/checkout/…',
      'http.response.status_code': 200,
    })
    expect(attributesOf(sentTo('/v1/traces')[0]?.body.resourceSpans[0].resource)).toMatchObject({
      'service.name': 'billhook-of-the-test',
    })
  })

  it('the root span of a sale has the route, status, and id of the API request, and is the parent of an operation span', async () => {
    await sale()
    const root = spans().find(({ name }) => name === 'POST /v1/checkouts')
    expect(root && attributesOf(root)).toMatchObject({
      'http.route': '/v1/checkouts',
      'http.response.status_code': 201,
      'request.id': expect.stringMatching(/^request_/),
    })
    const parts = spans().filter(({ traceId }) => traceId === root?.traceId)
    const operation = parts.find(({ name }) => name.startsWith('operation '))
    expect(operation?.parentSpanId).toBe(root?.spanId)
    expect(parts.find(({ name }) => name === 'transaction')?.parentSpanId).toBe(operation?.spanId)
  })

  it('traces, metrics, and logs contain no name, address, key, token, secret, or column value', async () => {
    const { level } = log
    log.level = 'debug'
    const { token } = await sale().finally(() => {
      log.level = level
    })
    for (const path of ['/v1/metrics', '/v1/logs']) expect([path, sentTo(path).length > 0]).toEqual([path, true])
    const sent = collector.requests.map(({ text }) => text).join('\n')
    expect(spans().length).toBeGreaterThan(50)
    const found = { ...canaries, token, apiKey: shop.testKey, storefront: shop.storefrontId }
    for (const [what, canary] of Object.entries(found)) expect([what, sent.includes(canary)]).toEqual([what, false])
    // The request id is the only id in traces and metrics. Log lines may contain other ids.
    const withoutLog = [...sentTo('/v1/traces'), ...sentTo('/v1/metrics')].map(({ text }) => text).join('\n')
    const ids = withoutLog.match(/\b[a-z_]+_[0-9A-Za-z]{22}\b/g) ?? []
    expect(ids.filter((id) => !id.startsWith('request_'))).toEqual([])
    const keys = new Set(spans().flatMap(({ attributes }) => attributes.map(({ key }) => key)))
    expect([...keys].sort()).toEqual([
      'db.collection.name',
      'db.operation.name',
      'db.system.name',
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'request.id',
      'task.attempt',
      'task.count',
    ])
  })
})

const callerSpan = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
const traceOf = (traceparent: string) => traceparent.split('-')[1]

describe('a span', () => {
  it('the span of a request has the name of the route without ids, and an unknown path has the name "other"', async () => {
    const { planId } = await aCatalogue(shop)
    expect((await ask(`GET /v1/subscription-plans/${planId}`)).status).toBe(200)
    expect((await ask('GET /v1/nothing/here')).status).toBe(404)
    await stop()
    const requests = spans().filter(({ kind }) => kind === 2)
    expect(requests.map(({ name }) => name)).toEqual(['GET /v1/subscription-plans/[id]', 'GET other'])
    expect(endpoints.size).toBeGreaterThan(30)
  })

  it('a request for a health check, for the metrics, or for a static file creates no span', async () => {
    for (const path of ['/livez', '/readyz', '/metrics', '/_next/static/chunk.js']) await ask(`GET ${path}`)
    expect((await ask('GET /v1/orders')).status).toBe(200)
    await stop()
    expect(spans().flatMap(({ name, kind }) => (kind === 2 ? [name] : []))).toEqual(['GET /v1/orders'])
    expect(new Set(spans().map(({ traceId }) => traceId)).size).toBe(1)
  })

  it('a failed span has an error type and no error message', async () => {
    await expect(
      traced('work', {}, async () => {
        throw Object.assign(new Error(canaries.name), { code: '57014' })
      }),
    ).rejects.toThrow()
    expect(() =>
      traced('work', {}, () => {
        throw new TypeError(canaries.email)
      }),
    ).toThrow()
    await stop()
    expect(spans().map((span) => [span.status.code, attributesOf(span)['error.type']])).toEqual([
      [2, '57014'],
      [2, 'TypeError'],
    ])
    expect(collector.requests.map(({ text }) => text).join()).not.toContain('uicksilver')
  })

  it('by default, a span does not continue the trace of the caller', async () => {
    await ask('GET /v1/orders', undefined, { traceparent: callerSpan })
    await stop()
    expect(spans().length).toBeGreaterThan(0)
    expect(spans().map(({ traceId }) => traceId)).not.toContain(traceOf(callerSpan))
  })

  it('a span continues the trace of the caller if OTEL_PROPAGATORS is set', async () => {
    await restart({ OTEL_PROPAGATORS: 'tracecontext' })
    await ask('GET /v1/orders', undefined, { traceparent: callerSpan })
    await stop()
    configure({ OTEL_PROPAGATORS: undefined })
    expect(spans().length).toBeGreaterThan(0)
    expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(new Set([traceOf(callerSpan)]))
  })

  it('packages such as Next.js create no spans, because page paths contain tokens', async () => {
    await traced('work', {}, () =>
      trace.getTracer('next.js').startActiveSpan('GET /checkout/token', async (span) => {
        await db().tasks.count()
        span.end()
      }),
    )
    await stop()
    const [statement, work] = spans()
    expect(spans().map(({ name }) => name)).toEqual(['SELECT tasks', 'work'])
    expect(statement?.parentSpanId).toBe(work?.spanId)
  })

  it('an operation outside a request or task has no span', async () => {
    await db().tasks.count()
    await db().$transaction(async (sql) => sql.tasks.count())
    await stop()
    expect(spans()).toEqual([])
  })
})

describe('the sampler of OTEL_TRACES_SAMPLER', () => {
  it.each([
    ['always_off', undefined, 0],
    ['parentbased_traceidratio', '0', 0],
    ['parentbased_traceidratio', '1', 1],
  ])(
    'the sampler %s (%s) records %i request spans, and no inner span without a request span',
    async (sampler, ratio, recorded) => {
      await restart({ OTEL_TRACES_SAMPLER: sampler, ...(ratio !== undefined && { OTEL_TRACES_SAMPLER_ARG: ratio }) })
      await ask('GET /v1/orders')
      await stop()
      configure({ OTEL_TRACES_SAMPLER: undefined, OTEL_TRACES_SAMPLER_ARG: undefined })
      expect(spans().filter(({ kind }) => kind === 2)).toHaveLength(recorded)
      expect(spans().length > 0).toBe(recorded > 0)
    },
  )
})

describe('a collector', () => {
  it.each([
    [
      'responds with 500',
      () => {
        collector.answer = answered(500)
      },
    ],
    [
      'does not respond',
      () => {
        collector.answer = () => undefined
      },
    ],
  ])('requests and the end of the process are not affected by a collector that %s', async (_, fail) => {
    fail()
    expect((await ask('GET /v1/orders')).status).toBe(200)
    const { level } = log
    log.level = 'warn'
    log.warn('a line for the collector')
    log.level = level
    const began = performance.now()
    await stop()
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(sentTo('/v1/logs').length).toBeGreaterThan(0)
    expect((await ask('GET /v1/orders')).status).toBe(200)
  })
})

describe('without a collector', () => {
  it('without a collector, no span is created, and tasks store no trace', async () => {
    await stop()
    expect([isTracing(), traceContext()]).toEqual([false, null])
    await traced('work', {}, async () => expect(traceContext()).toBeNull())
    const { planId } = await aCatalogue(shop)
    expect((await ask('POST /v1/checkouts', factories.checkoutBody(planId))).status).toBe(201)
    const rows = await db().tasks.findMany({ where: { storefront_id: shop.storefrontId }, select: { trace: true } })
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(({ trace }) => trace === null)).toBe(true)
    expect(spans()).toEqual([])
  })

  it('the OpenTelemetry SDK is loaded only if a collector is configured and OTEL_SDK_DISABLED is not set', async () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
    const sets = [{}, { ...endpoint, OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }, endpoint]
    const program = `
      import { createRequire } from 'node:module'
      const { startTelemetry } = await import('./lib/server/telemetry.ts')
      const { configureAnew } = await import('./lib/testing/configure.ts')
      for (const variables of ${JSON.stringify(sets)}) {
        configureAnew(variables)
        await startTelemetry('web')
        // prom-client itself loads @opentelemetry/api.
        const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => /@opentelemetry.(?!api.)/.test(file))
        console.log(loaded.length > 0 ? 'loaded' : 'not loaded')
      }
      process.exit()`
    const args = ['--import', 'tsx', '--input-type=module', '-e', program]
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: '' }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    expect(stdout).toBe('not loaded\nnot loaded\nnot loaded\nloaded\n')
  })
})
