import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { POST as decide } from '../../app/(admin)/admin/(signed-in)/(service)/reviews/[id]/submit/route.ts'
import { POST as signInRoute } from '../../app/(admin)/admin/sign-in/submit/route.ts'
import { auditLog, verifyAudit } from '../modules/audit/operations.ts'
import { writeAudit } from '../modules/audit/write.ts'
import { approveReview } from '../modules/catalog/operations.ts'
import { findTenantOf } from '../modules/catalog/store.ts'
import { termsVersion } from '../modules/catalog/terms-version.ts'
import { saveCheck } from '../modules/invariants/store.ts'
import { db } from '../platform/db/db.ts'
import { send } from '../testing/api.ts'
import * as factories from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { anOperator, halfSignedIn } from '../testing/operator.ts'
import { raceBehind } from '../testing/race-behind.ts'
import { aShop, type Shop } from '../testing/shop.ts'
import { ask, drainTasks, ordersOf, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { raise } from '../workflows/chargeback/operations.ts'
import {
  auditPage,
  exportStaffCsv,
  inboxPage,
  invariantsPage,
  reviewPage,
  reviewsPage,
  submitInvariants,
  submitReview,
  workPage,
} from './pages.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const email = 'ops@example.com'
let cookies: string | null = null
let operatorId = ''

beforeAll(async () => {
  ;({ operatorId, cookies } = await anOperator(email))
})

const form = (intent: string, more: Record<string, string> = {}) => new URLSearchParams({ intent, ...more })
const planOf = async ({ liveKey }: Shop, id: string) =>
  (await send(`GET /v1/subscription-plans/${id}`, { key: liveKey })).body

async function waiting(id: string, formId: string | null = null, as = cookies) {
  const page = await reviewPage(id, formId, as)
  if (!page || page.state === 'over') throw new Error('no review waits')
  return page
}

async function decided(id: string, intent: string, more: Record<string, string> = {}) {
  const page = await reviewPage(id, null, cookies)
  const terms = page && 'termsVersion' in page ? page.termsVersion : ''
  return submitReview(id, form(intent, { terms, ...more }), cookies)
}

async function aLivePlan(): Promise<{ shop: Shop; id: string }> {
  const shop = await aShop({ name: 'Lumen' })
  return { shop, id: (await factories.aPlan(shop.liveKey)).id }
}

describe('the admin area', () => {
  test('the admin area shows no page and accepts no form until an operator has used both log-in factors', async () => {
    const { shop, id } = await aLivePlan()
    const half = await halfSignedIn(email)
    for (const stranger of [null, '', half, '__Host-billhook-operator=x']) {
      expect(await inboxPage(stranger)).toBeNull()
      expect(await reviewsPage(stranger)).toBeNull()
      expect(await reviewPage(id, null, stranger)).toBeNull()
      expect(await auditPage({}, stranger)).toBeNull()
      expect(await workPage(stranger)).toBeNull()
      expect(await invariantsPage(stranger)).toBeNull()
      expect(await submitInvariants(form('check'), stranger)).toBeNull()
      for (const section of staffTables) expect(await exportStaffCsv(section, form(''), stranger)).toBeNull()
      expect(await submitReview(id, form('approve'), stranger)).toBeNull()
    }
    expect((await planOf(shop, id)).status).toBe('pending')
  })

  test('the admin area refuses a form from another site', async () => {
    const { shop, id } = await aLivePlan()
    const headers = { cookie: cookies ?? '', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const request = new Request('http://localhost/admin', { method: 'POST', body: form('approve'), headers })
    expect((await decide(request, { params: Promise.resolve({ id }) })).status).toBe(403)
    expect((await planOf(shop, id)).status).toBe('pending')
    const bare = new Request('http://localhost/admin', {
      method: 'POST',
      body: new URLSearchParams({ email, password: 'correct horse battery' }),
    })
    expect((await signInRoute(bare, { params: Promise.resolve({}) })).status).toBe(403)
  })
})

describe('a review', () => {
  test('a new plan is reviewed and approved, and the audit log names the person for each step', async () => {
    const { shop, id } = await aLivePlan()
    expect((await reviewsPage(cookies))?.rows.find((row) => row.id === id)).toMatchObject({
      kind: 'newPlan',
      state: 'pending',
      storefront: { id: shop.storefrontId, name: 'Lumen' },
    })
    expect(await reviewPage(id, null, cookies)).toMatchObject({
      live: null,
      proposed: { name: 'Pro' },
      merchant: 'Lumen',
    })
    expect(await decided(id, 'start')).toEqual({ redirectTo: `/admin/reviews/${id}?done=started` })
    expect((await waiting(id)).state).toBe('reviewing')
    expect(await decided(id, 'approve')).toEqual({ redirectTo: '/admin/reviews?done=approved' })
    expect((await planOf(shop, id)).status).toBe('active')
    expect(await reviewPage(id, null, cookies)).toEqual({ state: 'over' })
    const [approved, started] = await auditLog(null, 2)
    const actor = { kind: 'operator', id: operatorId, address: '203.0.113.9' }
    expect(started).toMatchObject({ action: 'review.start', subject: id, actor, after: { review: 'reviewing' } })
    expect(approved).toMatchObject({
      action: 'review.approve',
      subject: id,
      actor,
      before: { status: 'pending', review: 'reviewing' },
      after: { status: 'active', review: null },
    })
  })

  test('the review of a plan update shows the new values and the current values, and a rejection needs a reason', async () => {
    const { shop, id } = await aLivePlan()
    await approveReview(id)
    await send(`PATCH /v1/subscription-plans/${id}`, { key: shop.liveKey, body: { name: 'Pro 2' } })
    expect(await reviewPage(id, null, cookies)).toMatchObject({
      kind: 'planUpdate',
      live: { name: 'Pro' },
      proposed: { name: 'Pro 2' },
    })
    expect((await decided(id, 'reject', { reason: ' ' }))?.redirectTo).toMatch(/\?missing#problems$/)
    expect((await planOf(shop, id)).pendingUpdates).toEqual({ name: 'Pro 2' })
    const reason = 'Too bold.\r\nThink again.'
    expect(await decided(id, 'reject', { reason })).toEqual({
      redirectTo: '/admin/reviews?done=rejected',
    })
    expect(await planOf(shop, id)).toMatchObject({ status: 'active', pendingUpdates: null, name: 'Pro' })
    const [entry] = await auditLog(null, 1)
    expect(entry).toMatchObject({ action: 'review.reject', after: { reason: 'Too bold.\nThink again.' } })
  })

  test('approving an interval update in the admin area rejects the update if the plan has a subscription', async () => {
    const scenario = await subscriptionScenario()
    const { id } = await factories.aPlan(scenario.key)
    await send(`PATCH /v1/subscription-plans/${id}`, {
      key: scenario.key,
      body: { interval: 'year', intervalCount: 1 },
    })
    const body = { subscriptionPlanId: id, applyImmediately: true, prorate: false }
    expect(await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)).toMatchObject({ status: 200 })
    const found = await findTenantOf(db(), id)
    const terms = found ? termsVersion(found.product) : ''
    const next = await submitReview(id, form('approve', { terms }), cookies)
    expect(next).toEqual({ redirectTo: '/admin/reviews?done=planInUse' })
    expect((await findTenantOf(db(), id))?.product).toMatchObject({
      pendingTerms: null,
      terms: { billingInterval: { interval: 'month' } },
    })
  })

  test('if two operators decide the same review at the same time, one decision is recorded', async () => {
    const { id } = await aLivePlan()
    const hold = { sql: 'SELECT 1 FROM products WHERE id = $1 FOR UPDATE', values: [id] }
    const terms = (await waiting(id)).termsVersion
    const other = await anOperator('other@example.com')
    const racers = (
      [
        ['approve', cookies],
        ['reject', other.cookies],
        ['approve', other.cookies],
      ] as const
    ).map(
      ([intent, by]) =>
        () =>
          submitReview(id, form(intent, { terms, reason: 'No.' }), by),
    )
    const before = (await verifyAudit()).entries
    const ends = await raceBehind(hold, racers)
    const leads = ends.map((end) => (end.status === 'fulfilled' ? (end.value?.redirectTo ?? '') : 'error'))
    expect(leads.filter((lead) => lead.includes('done='))).toHaveLength(1)
    expect(leads.filter((lead) => lead.endsWith('?failed=product_not_reviewable'))).toHaveLength(2)
    expect((await verifyAudit()).entries).toBe(before + 1)
  })

  test.each(['approve', 'reject'])(
    'if the terms changed after the page was shown, the review decision (%s) is refused, and the form keeps the reason',
    async (intent) => {
      const { shop, id } = await aLivePlan()
      await approveReview(id)
      const change = (body: object) => send(`PATCH /v1/subscription-plans/${id}`, { key: shop.liveKey, body })
      await change({ name: 'Pro 2' })
      const terms = (await waiting(id)).termsVersion
      await change({ basePrice: { value: '9000.00', currency: 'EUR' } })
      const reason = 'The name says nothing.'
      const next = await submitReview(id, form(intent, { terms, reason }), cookies)
      expect((await planOf(shop, id)).pendingUpdates).toMatchObject({ basePrice: { value: '9000.00' } })
      const url = new URL(next?.redirectTo ?? '', 'http://localhost')
      expect(url.pathname).toBe(`/admin/reviews/${id}`)
      const left = `${cookies}; ${next?.cookie?.split(';')[0]}`
      const page = await waiting(id, url.searchParams.get('form'), left)
      expect(page).toMatchObject({ reason, problems: { terms: expect.stringContaining('changed') } })
      expect((await submitReview(id, form(intent, { terms: page.termsVersion, reason }), cookies))?.redirectTo).toMatch(
        /\?done=/,
      )
    },
  )

  test('a rejection whose reason contains a control character is refused, and the form keeps the reason', async () => {
    const { id } = await aLivePlan()
    const reason = 'Too bold.\vThink again.'
    const next = await decided(id, 'reject', { reason })
    const left = `${cookies}; ${next?.cookie?.split(';')[0]}`
    const page = await reviewPage(
      id,
      new URL(next?.redirectTo ?? '', 'http://localhost').searchParams.get('form'),
      left,
    )
    expect(page).toMatchObject({ reason, problems: { reason: expect.stringContaining('2,000 characters') } })
  })

  test.each(['subscription_plan_0', 'nothing', ''])(
    'a review with the unknown id %j is shown as no longer open, and its approval is refused as not found',
    async (id) => {
      expect(await reviewPage(id, null, cookies)).toEqual({ state: 'over' })
      expect(await decided(id, 'approve')).toEqual({ redirectTo: '/admin/reviews?failed=not_found' })
    },
  )

  test('a new plan in test mode needs no review', async () => {
    const { testKey } = await aShop()
    const { id } = await factories.aPlan(testKey)
    expect(await reviewPage(id, null, cookies)).toEqual({ state: 'over' })
  })
})

test('the audit log is paginated, newest entries first', async () => {
  for (let plans = 0; plans < 26; plans++) {
    const { id } = await aLivePlan()
    for (const intent of ['start', 'approve']) await decided(id, intent)
  }
  const { entries, last: end } = await verifyAudit()
  const first = await auditPage({}, cookies)
  expect(first?.end).toEqual({ last: end, isConfirmed: true })
  expect(end).toBe(`${first?.entries[0]?.number}:${first?.entries[0]?.hash}`)
  expect(first?.entries).toHaveLength(50)
  const numbers: number[] = []
  for (let page = first; page; ) {
    numbers.push(...page.entries.map(({ number }) => number))
    const before = new URL(page.olderUrl ?? '', 'https://x.example').searchParams.get('before')
    page = before === null ? null : await auditPage({ before }, cookies)
  }
  expect(numbers).toEqual(Array.from({ length: entries }, (_, n) => entries - n))
  expect((await auditPage({ before: 'x' }, cookies))?.entries).toEqual(first?.entries)
  const last = (await inboxPage(cookies))?.entries
  expect(last).toHaveLength(8)
  expect(last?.[0]).toMatchObject({ who: email, action: 'review.approve' })
})

test('the second page of the audit log keeps the filter for one id', async () => {
  const { id } = await aLivePlan()
  for (const intent of ['start', 'approve']) await decided(id, intent)
  const page = await auditPage({ subject: ` ${id} ` }, cookies)
  expect(page?.entries.map(({ action, subject }) => [action, subject])).toEqual([
    ['review.approve', id],
    ['review.start', id],
  ])
  expect(page?.newestUrl).toBe(`/admin/audit?subject=${id}`)
  expect((await auditPage({ subject: id, before: String(page?.entries[0]?.number) }, cookies))?.entries).toHaveLength(1)
  expect((await auditPage({ subject: 'nothing' }, cookies))?.entries).toEqual([])
})

const staffTables = ['storefronts', 'reviews', 'chargebacks', 'work', 'audit'] as const

describe('an export of a staff list', () => {
  const linesOf = async (section: string, filter = {}) => {
    const parts: string[] = []
    for await (const part of (await exportStaffCsv(section, new URLSearchParams(filter), cookies))?.parts ?? [])
      parts.push(part)
    return parts.join('').split('\r\n').slice(0, -1)
  }

  test.each<[(typeof staffTables)[number], () => Promise<string>, string]>([
    ['storefronts', async () => (await aShop({ name: 'Lumen' })).storefrontId, ',Lumen,'],
    ['reviews', async () => (await aLivePlan()).id, ',subscription_plan,pending,pending,'],
    ['chargebacks', aDisputeToDecide, ',requires_amount_review,'],
    ['work', aFailingTask, ',email.send,,live,0,down,'],
    ['audit', aStartedReview, ',review.start,'],
  ])(
    'a staff export of %s has a header and one row for a new object, and adds one audit entry',
    async (section, make, states) => {
      const id = await make()
      const { entries } = await verifyAudit()
      const [header, ...lines] = await linesOf(section)
      expect(header).toMatch(/^\ufeffid,/)
      const rows = lines.filter((line) => (section === 'audit' ? line.includes(id) : line.startsWith(`${id},`)))
      expect(rows).toEqual([expect.stringContaining(states)])
      expect((await auditLog(null, 1))[0]).toMatchObject({ action: `export.${section}`, subject: 'service' })
      expect((await verifyAudit()).entries).toBe(entries + 1)
    },
  )

  test('an export of the audit log contains only the entries that match the filter of the page', async () => {
    const { id } = await aLivePlan()
    for (const intent of ['start', 'approve']) await decided(id, intent)
    expect((await auditPage({ subject: id }, cookies))?.exportUrl).toBe(`/admin/export/audit?subject=${id}`)
    const lines = (await linesOf('audit', { subject: id })).slice(1)
    expect(lines).toEqual([expect.stringContaining('review.approve'), expect.stringContaining('review.start')])
    for (const line of lines) expect(line).toMatch(/,[0-9a-f]{64}$/)
  })

  test('an export of the audit log contains each entry exactly once, including the entry of the export', async () => {
    await db().$transaction(async (sql) => {
      for (let more = 0; more < 250; more++)
        await writeAudit(
          sql,
          { kind: 'operator', id: operatorId, address: null },
          { action: 'audit.export', subject: 'x', before: null, after: null },
        )
    })
    const { entries } = await verifyAudit()
    // The export reads at most 200 entries per query, so more than 250 entries require several queries.
    expect(entries).toBeGreaterThan(250)
    const numbers = (await linesOf('audit')).slice(1).map((line) => Number(line.slice(0, line.indexOf(','))))
    // The export itself has added an entry.
    expect(numbers).toEqual(Array.from({ length: entries + 1 }, (_, n) => entries + 1 - n))
  })

  test('the staff export of an unknown table is not found', async () => {
    for (const section of ['orders', 'constructor', ''])
      expect(await exportStaffCsv(section, form(''), cookies)).toBeNull()
  })
})

async function aDisputeToDecide(): Promise<string> {
  const scenario = await subscriptionScenario()
  const [order] = await ordersOf(scenario)
  return (await raise(order.id, { amount: '500.00', reason: 'fraud' })).chargebackId
}

async function aStartedReview(): Promise<string> {
  const { id } = await aLivePlan()
  await decided(id, 'start')
  return id
}

async function aFailingTask(): Promise<string> {
  const id = `task_${'0'.repeat(22)}`
  await db().$executeRaw`
    INSERT INTO tasks (id, name, key, storefront_id, testmode, clock, data, due_at, run_at, created_at, last_error)
    VALUES (${id}, 'email.send', 'failing', '', false, 'real', '{}', now() + interval '1 day', now() + interval '1 day', now(), 'down')`
  return id
}

describe('the invariants', () => {
  test('the invariants page lists the violations that the last check found, and its form requests a new check', async () => {
    const { shop } = await aLivePlan()
    expect(await submitInvariants(form('check'), cookies)).toEqual({ redirectTo: '/admin/invariants?done=requested' })
    await submitInvariants(form('check'), cookies)
    expect((await invariantsPage(cookies))?.isRequested).toBe(true)
    await drainTasks()
    const held = await invariantsPage(cookies)
    expect(held?.isRequested).toBe(false)
    expect(held?.checkedAt).not.toBeNull()
    expect(held?.invariants.length).toBeGreaterThan(40)
    expect(held?.invariants.filter(({ brokenBy }) => brokenBy?.length !== 0)).toEqual([])

    const { id } = await factories.aCustomer(shop.testKey)
    await db().$executeRaw`UPDATE customers SET email = upper(email) WHERE id = ${id}`
    await submitInvariants(form('check'), cookies)
    await drainTasks()
    const broken = (await invariantsPage(cookies))?.invariants.filter(({ brokenBy }) => brokenBy?.length !== 0)
    expect(broken).toMatchObject([{ of: 'I14', brokenBy: [id] }])
    expect((await invariantsPage(cookies))?.history[0]).toMatchObject({ broken: 1 })
    await db().$executeRaw`UPDATE customers SET email = lower(email) WHERE id = ${id}`
  })

  test('the invariants page lists a violation whose invariant was renamed after the check, and a broken audit log', async () => {
    const broken = { 'I1 a former name': ['order_1'], 'A the audit log': ['7'] }
    await saveCheck(db(), { day: '2999-12-31', finishedAt: new Date('2999-12-31T02:00:00Z'), broken })
    const page = await invariantsPage(cookies)
    await db().invariant_checks.deleteMany({ where: { day: '2999-12-31' } })
    expect(page?.invariants.filter(({ brokenBy }) => brokenBy?.length !== 0)).toEqual([
      { of: 'A', name: 'the audit log', brokenBy: ['7'] },
      { of: 'I1', name: 'a former name', brokenBy: ['order_1'] },
    ])
  })
})
