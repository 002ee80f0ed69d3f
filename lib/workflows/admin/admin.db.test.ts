import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { POST as decide } from '../../../app/(admin)/admin/(signed-in)/reviews/[id]/submit/route.ts'
import { POST as signInRoute } from '../../../app/(admin)/admin/sign-in/submit/route.ts'
import { auditLog, verifyAudit } from '../../modules/audit/operations.ts'
import { approveReview } from '../../modules/catalog/operations.ts'
import { send } from '../../testing/api.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { anOperator, halfSignedIn } from '../../testing/operator.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { adminOverview, auditPage, reviewPage, reviewsPage, submitReview } from './hosted.ts'

afterEach(async () => {
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

async function aLivePlan(): Promise<{ shop: Shop; id: string }> {
  const shop = await aShop({ name: 'Lumen' })
  return { shop, id: (await factories.aPlan(shop.liveKey)).id }
}

describe('the admin area', () => {
  test('shows nothing, and does nothing, for anybody but an operator with both factors', async () => {
    const { shop, id } = await aLivePlan()
    const half = await halfSignedIn(email)
    for (const stranger of [null, '', half, '__Host-billhook-operator=x']) {
      expect(await adminOverview(stranger)).toBeNull()
      expect(await reviewsPage(stranger)).toBeNull()
      expect(await reviewPage(id, stranger)).toBeNull()
      expect(await auditPage(null, stranger)).toBeNull()
      expect(await submitReview(id, form('approve'), stranger)).toBeNull()
    }
    expect((await planOf(shop, id)).status).toBe('pending')
  })

  test('refuses the form of another site', async () => {
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
  test('of a new plan is started and approved; each step is in the audit log with who did it and from where', async () => {
    const { shop, id } = await aLivePlan()
    expect((await reviewsPage(cookies))?.find((row) => row.id === id)).toMatchObject({
      kind: 'newPlan',
      state: 'pending',
      storefront: { id: shop.storefrontId, name: 'Lumen' },
    })
    expect(await reviewPage(id, cookies)).toMatchObject({ live: null, proposed: { name: 'Pro' }, merchant: 'Lumen' })
    expect(await submitReview(id, form('start'), cookies)).toEqual({ redirectTo: `/admin/reviews/${id}?done=started` })
    expect((await reviewPage(id, cookies))?.state).toBe('reviewing')
    expect(await submitReview(id, form('approve'), cookies)).toEqual({ redirectTo: '/admin/reviews?done=approved' })
    expect((await planOf(shop, id)).status).toBe('active')
    expect(await reviewPage(id, cookies)).toBeNull()
    const [approved, started] = await auditLog(null, 2)
    const actor = { kind: 'operator', id: operatorId, address: '203.0.113.9' }
    expect(started).toMatchObject({ action: 'review.start', subject: id, actor, after: { review: 'reviewing' } })
    expect(approved).toMatchObject({
      ...{ action: 'review.approve', subject: id, actor },
      before: { status: 'pending', review: 'reviewing' },
      after: { status: 'active', review: null },
    })
  })

  test('of an update shows it beside what is on sale, and is rejected with a reason only', async () => {
    const { shop, id } = await aLivePlan()
    await approveReview(id)
    await send(`PATCH /v1/subscription-plans/${id}`, { key: shop.liveKey, body: { name: 'Pro 2' } })
    expect(await reviewPage(id, cookies)).toMatchObject({
      kind: 'planUpdate',
      live: { name: 'Pro' },
      proposed: { name: 'Pro 2' },
    })
    expect((await submitReview(id, form('reject', { reason: ' ' }), cookies))?.redirectTo).toMatch(
      /\?missing#problems$/,
    )
    expect((await planOf(shop, id)).pendingUpdates).toEqual({ name: 'Pro 2' })
    const reason = 'Too bold.\r\nThink again.'
    expect(await submitReview(id, form('reject', { reason }), cookies)).toEqual({
      redirectTo: '/admin/reviews?done=rejected',
    })
    expect(await planOf(shop, id)).toMatchObject({ status: 'active', pendingUpdates: null, name: 'Pro' })
    const [entry] = await auditLog(null, 1)
    expect(entry).toMatchObject({ action: 'review.reject', after: { reason: 'Too bold.\nThink again.' } })
  })

  test('that two operators decide at once is decided once', async () => {
    const { id } = await aLivePlan()
    const before = (await verifyAudit()).entries
    const hold = { sql: 'SELECT 1 FROM products WHERE id = $1 FOR UPDATE', values: [id] }
    const racers = ['approve', 'reject', 'approve'].map(
      (intent) => () => submitReview(id, form(intent, { reason: 'No.' }), cookies),
    )
    const ends = await raceBehind(hold, racers)
    const leads = ends.map((end) => (end.status === 'fulfilled' ? (end.value?.redirectTo ?? '') : 'error'))
    expect(leads.filter((lead) => lead.includes('done='))).toHaveLength(1)
    expect(leads.filter((lead) => lead.endsWith('?failed=product_not_reviewable'))).toHaveLength(2)
    expect((await verifyAudit()).entries).toBe(before + 1)
  })

  test.each(['subscription_plan_0', 'nothing', ''])('of %j does not exist', async (id) => {
    expect(await reviewPage(id, cookies)).toBeNull()
    expect(await submitReview(id, form('approve'), cookies)).toEqual({ redirectTo: '/admin/reviews?failed=not_found' })
  })

  test('is not asked for in test mode', async () => {
    const { testKey } = await aShop()
    const { id } = await factories.aPlan(testKey)
    expect(await reviewPage(id, cookies)).toBeNull()
  })
})

test('the audit log comes page by page, the newest first', async () => {
  for (let plans = 0; plans < 26; plans++) {
    const { id } = await aLivePlan()
    for (const intent of ['start', 'approve']) await submitReview(id, form(intent), cookies)
  }
  const first = await auditPage(null, cookies)
  expect(first?.entries).toHaveLength(50)
  const before = new URL(first?.olderUrl ?? '', 'https://x.example').searchParams.get('before')
  const second = await auditPage(before, cookies)
  expect(second?.entries[0]?.number).toBe((first?.entries.at(-1)?.number ?? 0) - 1)
  expect(second?.entries.at(-1)?.number).toBe(1)
  expect((await auditPage('x', cookies))?.entries).toEqual(first?.entries)
  const last = (await adminOverview(cookies))?.entries
  expect(last).toHaveLength(8)
  expect(last?.[0]).toMatchObject({ who: email, action: 'review.approve' })
})
