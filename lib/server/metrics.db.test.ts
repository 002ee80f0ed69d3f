import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { GET as metrics } from '@/app/metrics/route.ts'
import { GET as readyz } from '@/app/readyz/route.ts'
import { sendEmail } from '../modules/emails/tasks.ts'
import { deliverWebhook } from '../modules/events/tasks.ts'
import { transact } from '../modules/events/transact.ts'
import { saveCheck } from '../modules/invariants/store.ts'
import { db } from '../platform/db/db.ts'
import { noteLook } from '../platform/jobs/last-look.ts'
import { task } from '../platform/jobs/tasks.ts'
import { log } from '../platform/log.ts'
import { aShop, type Shop } from '../testing/shop.ts'
import { uncached } from '../testing/uncached.ts'
import { hold, release } from '../workflows/transfer/hold.ts'
import { countRequest } from './request-metrics.ts'

const note = task('test.note', z.object({}))
const email = task('test.email', z.object({}), { clock: 'real', queue: 'email' })
let shop: Shop

const put = (kind: typeof note, key: string, dueAt: Date, tenant = { ...shop.scope, testmode: false }) =>
  transact(tenant, ({ enqueue }) => enqueue(kind, { key, data: {}, dueAt }))
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

/** Makes the test clock look as if an advance by an hour has made no progress for the given number of seconds. */
const stallAdvance = (seconds: number) => db().$executeRaw`
  UPDATE clocks SET frozen_at = now(), advancing_to = now() + interval '1 hour', runner_id = 'nobody', advance_leased_until = 'infinity',
    moving_since = now() - interval '400 seconds', progressed_at = clock_timestamp() - ${seconds}::int * interval '1 second'
  WHERE storefront_id = ${shop.storefrontId}`

const readiness = () => uncached(readyz)

async function values(): Promise<Record<string, number>> {
  const response = await uncached(metrics)
  expect(response.status).toBe(200)
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

beforeAll(async () => {
  shop = await aShop()
})
beforeEach(async () => {
  await db().tasks.deleteMany()
  await noteLook()
  await db().clocks.updateMany({
    data: { frozen_at: null, advancing_to: null, runner_id: null, advance_leased_until: null },
  })
})

describe('/readyz', () => {
  it('/readyz reports "degraded" with status 200 while a task of the queue "work" is late', async () => {
    await put(note, 'late', ago(100))
    const response = await readiness()
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      status: 'degraded',
      ready: true,
      taskLagSeconds: expect.toSatisfy((lag) => lag >= 100),
      tasks: expect.stringMatching(/^late by 1\d\d s$/),
    })
  })

  it('/readyz reports "degraded" while no worker has run for a minute, even if no task is late', async () => {
    const noted = (seconds: number) =>
      db().rate_limits.updateMany({
        where: { key: 'time tasks looked for' },
        data: { arrival: ago(seconds) },
      })
    await noted(50)
    expect(await (await readiness()).json()).toMatchObject({ status: 'ok', tasks: 'ok' })
    await noted(70)
    expect(await (await readiness()).json()).toMatchObject({
      status: 'degraded',
      ready: true,
      taskLagSeconds: 0,
      tasks: expect.stringMatching(/^no worker has run for 7\d s$/),
    })
    await db().rate_limits.deleteMany()
    expect(await (await readiness()).json()).toMatchObject({ status: 'degraded', tasks: 'no worker has run' })
  })

  it('/readyz reports "ok" and the delay while a webhook receiver or mail server delays tasks', async () => {
    await put(email, 'slow email', ago(100))
    const delivery = { key: 'slow', data: { deliveryId: 'slow', before: 0 }, dueAt: ago(200), stream: 'webhook_slow' }
    await transact({ ...shop.scope, testmode: false }, ({ enqueueAll }) => enqueueAll(deliverWebhook, [delivery]))
    const response = await readiness()
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      status: 'ok',
      tasks: 'ok',
      taskLagSeconds: expect.toSatisfy((lag) => lag >= 200),
    })
  })

  it('/readyz reports "ok" while an advance of a test clock makes progress', async () => {
    await stallAdvance(5)
    expect(await (await readiness()).json()).toMatchObject({ status: 'ok', clocks: 'ok' })
  })

  it('/readyz reports "degraded" for a stalled advance of a test clock, without naming the storefront', async () => {
    await stallAdvance(300)
    const inTime = new Date(Date.now() + 600_000)
    for (const key of ['a', 'b']) await put(note, key, inTime, shop.scope)
    await put(note, 'later', new Date(Date.now() + 7_200_000), shop.scope)
    const response = await readiness()
    const body = await response.json()
    expect(response.status).toBe(200)
    expect(body).toMatchObject({
      status: 'degraded',
      clocks: expect.stringMatching(/^1 being moved without progress, for 30\d s; 2 tasks wait$/),
    })
    expect(JSON.stringify(body)).not.toContain(shop.storefrontId)
  })
})

describe('/metrics', () => {
  it('/metrics has the Prometheus text format, and service metrics have no label except the queue', async () => {
    const response = await metrics()
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    const end = text.indexOf('# HELP process_')
    const [ours, ofProcess] = [text.slice(0, end), text.slice(end)]
    const names = [...ours.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name)
    expect(names.length).toBe(11)
    expect([...ours.matchAll(/^# HELP (\S+) \S.*$/gm)].map(([, name]) => name)).toEqual(names)
    for (const line of ours.trimEnd().split('\n')) {
      if (line.startsWith('#')) continue
      expect(line).toMatch(/^billhook_[a-z_]+(\{queue="(work|webhooks|email)"\})? \d+$/)
      expect(names).toContain(line.split(/[ {]/)[0])
    }
    expect(ofProcess).toMatch(/^# TYPE billhook_http_request_duration_seconds histogram$/m)
    expect(ofProcess).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
    expect(ofProcess).toMatch(/^process_resident_memory_bytes /m)
    expect(text.endsWith('\n')).toBe(true)
  })

  it('/metrics contains every metric that the dashboard and the alert rules use', async () => {
    const known = (await (await metrics()).text()).match(/^# TYPE \S+/gm)?.map((line) => line.slice(7)) ?? []
    known.push('billhook_inngest_up', 'billhook_service_up', 'billhook_reconciliation_differences')
    for (const file of ['docs/monitoring/dashboard.json', 'docs/monitoring/alerts.yml']) {
      const named = readFileSync(file, 'utf8').match(/\b(?:billhook|nodejs|process)_\w+/g) ?? []
      const bare = new Set(named.map((name) => name.replace(/_(?:bucket|count|sum)$/, '')))
      expect(bare.size).toBeGreaterThan(5)
      for (const name of bare) expect(known, `${file}: ${name}`).toContain(name)
    }
  })

  it('/metrics shows the number and lag of due tasks by queue, and the number of tasks of clock advances', async () => {
    await put(note, 'a', ago(100))
    await put(note, 'b', ago(10))
    await put(email, 'c', ago(50))
    await put(note, 'not yet', new Date(Date.now() + 60_000))
    await transact(shop.scope, ({ enqueue, now }) =>
      enqueue(deliverWebhook, { key: 'd', data: { deliveryId: 'd', before: 0 }, dueAt: now }),
    )
    await stallAdvance(300)
    const metricValues = await values()
    expect(metricValues).toMatchObject({
      'billhook_tasks_due{queue="work"}': 2,
      'billhook_tasks_due{queue="email"}': 1,
      'billhook_tasks_due{queue="webhooks"}': 0,
      billhook_webhook_deliveries_waiting: 1,
      billhook_test_clocks_moving: 1,
      billhook_test_clocks_standing: 1,
      billhook_test_clock_tasks_waiting: 1,
    })
    const about = (name: string, seconds: number) => {
      expect(metricValues[name]).toBeGreaterThanOrEqual(seconds)
      expect(metricValues[name]).toBeLessThan(seconds + 60)
    }
    about('billhook_task_oldest_lag_seconds{queue="work"}', 100)
    about('billhook_task_oldest_lag_seconds{queue="email"}', 50)
    about('billhook_test_clock_oldest_move_seconds', 400)
    about('billhook_test_clock_longest_standstill_seconds', 300)
  })

  it('/metrics contains the number of violated invariants and the age of the newest check', async () => {
    await db().invariant_checks.deleteMany()
    expect(await values()).toMatchObject({
      billhook_invariants_broken: 0,
      billhook_invariants_check_age_seconds: expect.toSatisfy((age) => age >= 0),
    })
    const save = (day: string, hours: number, broken: Readonly<Record<string, string[]>>) =>
      saveCheck(db(), { day, finishedAt: ago(hours * 3_600), broken })
    await save('2026-01-05', 60, { 'I1: sums': ['order_1'], 'I2: numbers': ['order_2'] })
    expect(await values()).toMatchObject({
      billhook_invariants_broken: 2,
      billhook_invariants_check_age_seconds: expect.toSatisfy((age) => age >= 216_000 && age < 216_060),
    })
    await save('2026-01-06', 36, {})
    expect(await values()).toMatchObject({
      billhook_invariants_broken: 0,
      billhook_invariants_check_age_seconds: expect.toSatisfy((age) => age >= 129_600 && age < 129_660),
    })
  })

  it('/metrics shows how long the oldest email has waited, even if its next attempt is not due yet', async () => {
    expect(await values()).toMatchObject({ billhook_emails_oldest_waiting_seconds: 0 })
    await transact({ ...shop.scope, testmode: false }, ({ enqueue }) =>
      enqueue(sendEmail, { key: 'not taken', data: { mailId: 'mail_1' }, dueAt: ago(3_000) }),
    )
    await db()
      .$executeRaw`UPDATE tasks SET run_at = now() + interval '5 minutes', last_error = 'the mail server is away'`
    expect(await values()).toMatchObject({
      'billhook_task_oldest_lag_seconds{queue="email"}': 0,
      billhook_emails_oldest_waiting_seconds: expect.toSatisfy((seconds) => seconds >= 3_000 && seconds < 3_060),
    })
    await hold(shop.storefrontId)
    expect(await values()).toMatchObject({ billhook_emails_oldest_waiting_seconds: 0 })
    await release(shop.storefrontId)
  })

  it.each([
    ['BillhookInvariantsBroken', 'page', 'billhook_invariants_broken'],
    ['BillhookInvariantsUnchecked', 'page', 'billhook_invariants_check_age_seconds'],
    ['BillhookEmailsLate', 'page', 'billhook_task_oldest_lag_seconds{queue="email"}'],
    ['BillhookEmailsWait', 'ticket', 'billhook_emails_oldest_waiting_seconds'],
  ])('the alert rule %s has the severity %s and uses the metric %s', (alert, severity, metric) => {
    const rules = readFileSync('docs/monitoring/alerts.yml', 'utf8').split('- alert: ')
    const rule = rules.find((each) => each.startsWith(`${alert}\n`))
    expect(rule).toContain(`severity: ${severity}`)
    expect(rule).toContain(metric)
  })

  it('requests for /metrics within five seconds share one database query', async () => {
    const asked = vi.spyOn(db(), '$queryRaw')
    const first = await values()
    const queries = asked.mock.calls.length
    expect(queries).toBeGreaterThan(0)
    asked.mockClear()
    const many = await Promise.all(Array.from({ length: 50 }, async () => (await metrics()).text()))
    expect(new Set(many).size).toBe(1)
    expect(asked.mock.calls.length).toBe(queries)
    const ours = Object.keys(first).filter((name) => name.startsWith('billhook_'))
    const always = [
      'billhook_database_connections',
      'billhook_emails_oldest_waiting_seconds',
      'billhook_invariants_broken',
      'billhook_invariants_check_age_seconds',
      'billhook_task_oldest_lag_seconds',
      'billhook_tasks_due',
      'billhook_test_clock_longest_standstill_seconds',
      'billhook_test_clock_oldest_move_seconds',
      'billhook_test_clock_tasks_waiting',
      'billhook_test_clocks_moving',
      'billhook_test_clocks_standing',
      'billhook_webhook_deliveries_waiting',
    ]
    expect(ours.map((name) => name.replace(/\{.*/, ''))).toEqual(expect.arrayContaining(always))
    vi.restoreAllMocks()
  })

  it('while the database does not respond, /metrics has the metrics of the processes and billhook_database_up 0', async () => {
    const logged = vi.spyOn(log, 'error').mockImplementation(() => undefined)
    const away = () => Promise.reject(new Error('away'))
    vi.spyOn(db(), '$queryRaw').mockImplementation(away as never)
    vi.spyOn(db(), '$queryRawUnsafe').mockImplementation(away as never)
    countRequest({ method: 'GET', route: '/readyz', path: '/readyz', status: 503, seconds: 0.02 })
    const during = await values()
    expect(during).toMatchObject({
      billhook_database_up: 0,
      'billhook_http_request_duration_seconds_count{method="GET",route="/readyz",status="503"}': 1,
    })
    expect(Object.keys(during).filter((name) => name.startsWith('billhook_tasks_due'))).toEqual([])
    await values()
    expect(logged).toHaveBeenCalledTimes(1)
    vi.restoreAllMocks()
    expect(await values()).toMatchObject({ billhook_database_up: 1, 'billhook_tasks_due{queue="work"}': 0 })
  })

  it('/metrics responds within the ten seconds of Prometheus while a query of the database hangs', async () => {
    vi.spyOn(log, 'error').mockImplementation(() => undefined)
    const hangs = () => new Promise(() => undefined)
    vi.spyOn(db(), '$queryRaw').mockImplementation(hangs as never)
    vi.spyOn(db(), '$queryRawUnsafe').mockImplementation(hangs as never)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let found: Record<string, number> = {}
    const asked = values().then((answer) => {
      found = answer
    })
    await vi.advanceTimersByTimeAsync(9_000)
    expect(found).toMatchObject({ billhook_database_up: 0 })
    await asked
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
})
