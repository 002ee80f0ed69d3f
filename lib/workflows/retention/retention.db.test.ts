import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import { emailExamples } from '../../modules/emails/examples.ts'
import { removeOldEmails } from '../../modules/emails/old-emails.ts'
import { resendEmail } from '../../modules/emails/operations.ts'
import { emailStatuses } from '../../modules/emails/rules/email.ts'
import { transact } from '../../modules/events/transact.ts'
import { removeOldDeliveries, removeOldEvents } from '../../modules/webhooks/old-rows.ts'
import { db } from '../../platform/db/db.ts'
import { housekeeping } from '../../server/housekeeping.ts'
import { amount } from '../../testing/amount.ts'
import { decisive, expireLeases, killedAt } from '../../testing/crash.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lastingConnection } from '../../testing/lasting-connection.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { recordedQueries, scansOf } from '../../testing/recorded-queries.ts'
import { seedEverything } from '../../testing/seed-everything.ts'
import { aShop, runDueTasks } from '../../testing/shop.ts'
import { travelTo } from '../../testing/time-travel.ts'
import { planRemoval } from './operations.ts'
import { removeOld } from './tasks.ts'

const run = lastingConnection('-c session_replication_role=replica')
const task = () => db().tasks.findFirst({ where: { name: removeOld.name } })
const counts = async () => ({
  deliveries: await db().deliveries.count(),
  events: await db().events.count(),
  emails: await db().emails.count(),
})
const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000)

const onlyTheRemovalIsDue = () => db().$executeRaw`
  UPDATE tasks SET leased_until = NULL, run_at = CASE name WHEN ${removeOld.name} THEN timestamptz '2026-01-01' ELSE '2100-01-01' END`

async function removeAll(): Promise<void> {
  await planRemoval()
  do {
    await onlyTheRemovalIsDue()
    await runDueTasks()
  } while (await db().horizons.count({ where: { walked_to: { not: '' } } }))
}

/** Inserts `count` copies of a row, with ids that sort before all other ids. */
const copy = (table: string, where: string, count: number, columns: Record<string, string> = {}) => {
  const set = Object.entries({
    id: `left(j->>'id', -22) || lpad(n::text, 22, '0')`,
    created_at: `timestamptz '2020-01-01'`,
    ...columns,
  }).map(([column, expression]) => `'${column}', ${expression}`)
  return run({
    text: `INSERT INTO ${table} SELECT copy.* FROM (SELECT to_jsonb(own) AS j FROM ${table} own WHERE ${where} LIMIT 1) one,
      generate_series(1, ${count}) n, LATERAL jsonb_populate_record(NULL::${table}, j || jsonb_build_object(${set.join(', ')})) copy`,
  })
}

async function copyOld(): Promise<void> {
  await copy('events', 'true', 2_500, { entity_id: `'order_' || n` })
  await copy('deliveries', `status = 'delivered'`, 2_500, { event_id: `'webhook_event_' || lpad(n::text, 22, '0')` })
  await copy('emails', `status = 'kept'`, 1_200, { order_id: 'NULL::text', original_id: 'NULL::text' })
}

const withoutOld = ({ deliveries, events, emails }: Awaited<ReturnType<typeof counts>>) => ({
  deliveries: deliveries - 2_500,
  events: events - 2_500,
  emails: emails - 1_200,
})

describe('the removal of emails', () => {
  const old = () => ({ before: daysFromNow(1), after: '', limit: 1_000 })
  const post = async () => {
    const shop = await aShop()
    await transact(shop.scope, (tx) =>
      enqueueEmail(tx, { to: 'ada@example.com', locale: 'en', content: emailExamples.payment_failed }),
    )
    return db().emails.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
  }

  it('the removal task removes all old emails except unsent emails', async () => {
    for (const status of emailStatuses) {
      const { id } = await post()
      await db()
        .$executeRaw`UPDATE emails SET status = ${status}, sent_at = CASE WHEN ${status} = 'sent' THEN now() END WHERE id = ${id}`
    }
    expect(await removeOldEmails(db(), old())).toMatchObject({
      seen: emailStatuses.length,
      removed: emailStatuses.length - 1,
    })
    expect(await db().emails.findMany({ select: { status: true } })).toEqual([{ status: 'queued' }])
    await db().$executeRaw`UPDATE emails SET status = 'kept'`
    expect(await removeOldEmails(db(), old())).toMatchObject({ seen: 1, removed: 1 })
  })

  it('the removal task removes the copy of a resent email before the original', async () => {
    const { id } = await post()
    await resendEmail(id)
    expect(await removeOldEmails(db(), old())).toMatchObject({ seen: 2, removed: 1 })
    expect(await db().emails.findMany({ select: { id: true } })).toEqual([{ id }])
    expect(await removeOldEmails(db(), old())).toMatchObject({ seen: 1, removed: 1 })
  })

  it('the removal task does not remove an email while it is being resent', async () => {
    const { id } = await post()
    const hold = { sql: 'SELECT 1 FROM emails WHERE id = $1 FOR UPDATE', values: [id] }
    const [again] = await raceBehind(hold, [() => resendEmail(id)], 1, async () => {
      expect(await removeOldEmails(db(), old())).toMatchObject({ seen: 1, removed: 0 })
    })
    expect(again).toMatchObject({ status: 'fulfilled' })
    expect(await db().emails.count()).toBe(2)
    await db().emails.deleteMany({ where: { original_id: id } })
    await db().emails.deleteMany()
  })
})

describe('the removal task', () => {
  let seeded: Awaited<ReturnType<typeof seedEverything>>
  beforeAll(async () => {
    seeded = await seedEverything()
  }, 300_000)
  afterAll(() => seeded.close())

  it('one removal task is scheduled for all processes and storefronts', async () => {
    await Promise.all(Array.from({ length: 8 }, planRemoval))
    await planRemoval()
    expect(await db().tasks.findMany({ where: { name: removeOld.name } })).toMatchObject([
      { key: 'all', storefront_id: '', testmode: false, clock: 'real' },
    ])
  })

  it('the removal task removes nothing if no row is old, and then runs again in an hour', async () => {
    const before = await counts()
    await removeAll()
    expect(await counts()).toEqual(before)
    expect(((await task())?.due_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(59 * 60_000)
  })

  it('the removal task removes a thousand rows per statement', async () => {
    await copyOld()
    const before = await counts()
    const queries = await recordedQueries(removeAll)
    const limitsOf = (table: string) =>
      queries.flatMap(({ text, values }) => (text.includes(`DELETE FROM ${table} `) ? [values.at(-1)] : []))
    expect({ deliveries: limitsOf('deliveries'), events: limitsOf('events'), emails: limitsOf('emails') }).toEqual({
      deliveries: [1_000, 1_000, 1_000],
      events: [1_000, 1_000, 1_000],
      emails: [1_000, 1_000],
    })
    expect(await counts()).toEqual(withoutOld(before))
  })

  it('the removal task continues after a kill at any statement', async () => {
    await copyOld()
    const before = await counts()
    let statements = 0
    for (const moment of ['before', 'after'] as const)
      for (let n = 1, killed = true; killed; n++) {
        await onlyTheRemovalIsDue()
        const { deliveries, events, emails } = await counts()
        killed = await killedAt(n, moment, () => runDueTasks(), decisive())
        const now = await counts()
        statements++
        if (moment === 'before' && n === 1) expect(now).toEqual(before)
        expect([now.deliveries <= deliveries, now.events <= events, now.emails <= emails]).toEqual([true, true, true])
        await expireLeases()
      }
    await removeAll()
    expect(statements).toBeGreaterThan(10)
    expect(await counts()).toEqual(withoutOld(before))
    expect(await db().horizons.findMany({ where: { walked_to: { not: '' } } })).toEqual([])
    expect(await brokenInvariants()).toEqual({})
  })

  it('the removal task finds old rows by key, and reads as few rows in a large table as in a small table', async () => {
    const many = amount({ short: 5_000, long: 20_000 })
    await copy('events', 'true', many, { entity_id: `'order_' || n` })
    await copy('deliveries', `status = 'delivered'`, many, { event_id: `'webhook_event_' || lpad(n::text, 22, '0')` })
    await copy('emails', `status = 'kept'`, many, { order_id: 'NULL::text', original_id: 'NULL::text' })
    await run({ text: 'ANALYZE' })
    const step = { before: daysFromNow(-1), after: '', limit: 100 }
    for (const remove of [removeOldDeliveries, removeOldEvents, removeOldEmails]) {
      const [query, ...others] = await recordedQueries(() => remove(db(), step))
      expect(others).toEqual([])
      const scans = query ? await scansOf(run, query) : []
      expect(scans.length).toBeGreaterThan(2)
      for (const { table, rows, isWhole } of scans)
        expect({ table, rows, isWhole: isWhole && rows > 200 }).toEqual({
          table,
          rows: Math.min(rows, 500),
          isWhole: false,
        })
    }
    await removeAll()
    expect(await brokenInvariants()).toEqual({})
  })

  const dates = amount({ short: 5, long: 25 })
  it(`no invariant is violated when the history before a date is removed, for each of ${dates + 1} dates`, async () => {
    const [{ first, last } = { first: 0, last: 0 }] = await db().$queryRaw<{ first: number; last: number }[]>`
      SELECT (extract(epoch FROM min(created_at)) * 1000)::float8 AS first, (extract(epoch FROM max(created_at)) * 1000)::float8 AS last FROM events`
    const before = await counts()
    await db().$executeRaw`UPDATE delivery_attempts SET started_at = started_at - interval '1 year'`
    await housekeeping()
    const moments = Array.from({ length: dates }, (_, n) => first + ((last - first) * (n + 0.5)) / (dates - 1))
    for (const moment of [first, ...moments]) {
      await travelTo(new Date(moment + 400 * 86_400_000).toISOString())
      await removeAll()
      expect([new Date(moment), await brokenInvariants()]).toEqual([new Date(moment), {}])
    }
    const pending = await db().deliveries.count({ where: { status: 'pending' } })
    expect(pending).toBeGreaterThan(0)
    expect(await db().deliveries.count()).toBe(pending)
    expect(before.events).toBeGreaterThan(100)
    expect(await db().events.count()).toBe((await db().deliveries.groupBy({ by: ['event_id'], _count: true })).length)
  })
})
