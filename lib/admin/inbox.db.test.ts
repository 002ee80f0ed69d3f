import { beforeAll, describe, expect, test } from 'vitest'
import { approveReview, rejectReview } from '../modules/catalog/operations.ts'
import { saveCheck } from '../modules/invariants/store.ts'
import { save } from '../modules/reconciliations/store.ts'
import { db } from '../platform/db/db.ts'
import { send } from '../testing/api.ts'
import * as factories from '../testing/factories.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { atSecondProvider, takePaymentsAtSecondProvider } from '../testing/second-provider.ts'
import { aShop, type Shop, tokenOf } from '../testing/shop.ts'
import { syncWithProvider } from '../testing/sync-payment.ts'
import { submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { inboxPage, registrationsPage, reviewPage, reviewsPage, serviceFrame, submitRegistrations } from './pages.ts'
import { lookAgain } from './reached.ts'

takePaymentsAtSecondProvider('live')

let shop: Shop
let cookies: string | null

/** Sells in live mode to a consumer in Germany, above the EU tax threshold of 10,000 euros. */
async function sellAboveThreshold(): Promise<void> {
  const { id } = await factories.aProduct(shop.liveKey, { basePrice: factories.price('10000.01') })
  await approveReview(id)
  const checkout = await factories.aCheckout(shop.liveKey, id, { products: [{ id, quantity: 1 }] })
  const buyer = { email: 'ada@example.com', fullName: 'Ada', paymentMethod: 'creditcard', confirmCountry: 'DE' }
  const visitor = { acceptLanguage: 'en', header: () => null }
  await submitCheckout(
    tokenOf(checkout.links.checkoutUrl.href),
    new URLSearchParams({ ...buyer, country: 'DE' }),
    visitor,
  )
  const ref = atSecondProvider.payments().at(-1)?.ref ?? ''
  atSecondProvider.decide(ref, { status: 'paid' })
  await syncWithProvider({ storefrontId: shop.storefrontId, testmode: false }, ref)
}

const update = (id: string, body: object) => send(`PATCH /v1/subscription-plans/${id}`, { key: shop.liveKey, body })

const rowsOf = async (kind: string) => (await inboxPage(cookies))?.rows.filter((row) => row.kind === kind)
const inboxCount = async () =>
  (await serviceFrame(cookies))?.staff?.find(({ section }) => section === 'overview')?.count

beforeAll(async () => {
  shop = await aShop({ name: 'Lumen' })
  ;({ cookies } = await anOperator('inbox@example.com'))
  await sellAboveThreshold()
  // Clears the cache in `reached.ts`, because test files in one worker share the cache.
  lookAgain()
})

describe('the inbox of the staff', () => {
  test('the inbox lists a reached tax threshold until the seller registers in the country', async () => {
    expect(await rowsOf('threshold')).toMatchObject([{ name: 'EU', url: '/admin/thresholds', age: null }])
    const send = (fields: Record<string, string>) =>
      submitRegistrations(new URLSearchParams({ key: crypto.randomUUID(), ...fields }), cookies)
    const from = `${new Date().getUTCFullYear()}-01-01`
    await send({ intent: 'add', country: 'NL', number: 'NL000099998B57', scheme: 'oss', from })
    expect((await registrationsPage(null, cookies))?.registrations).toHaveLength(1)
    expect(await rowsOf('threshold')).toEqual([])
  })

  test('the inbox sorts reviews by the time of submission, oldest first', async () => {
    const { id: old } = await factories.aPlan(shop.liveKey, { name: 'Old' })
    await approveReview(old)
    const { id: isNew } = await factories.aPlan(shop.liveKey, { name: 'New' })
    await db().$executeRaw`UPDATE products SET created_at = now() - interval '90 days' WHERE id = ${old}`
    await db().$executeRaw`UPDATE products SET submitted_at = now() - interval '3 days 1 hour' WHERE id = ${isNew}`
    await update(old, { name: 'Old 2' })
    const rows = await rowsOf('review')
    expect(rows?.map(({ name }) => name)).toEqual(['New', 'Old 2'])
    expect(rows?.[0]).toMatchObject({
      storefront: 'Lumen',
      age: { unit: 'day', count: 3 },
      url: `/admin/reviews/${isNew}`,
    })
    expect(rows?.[1]).toMatchObject({ age: { unit: 'minute', count: 0 } })
    expect((await reviewsPage(cookies))?.rows.map(({ id }) => id)).toEqual([isNew, old])

    await db().$executeRaw`UPDATE products SET submitted_at = now() - interval '5 days' WHERE id = ${old}`
    await update(old, { name: 'Old 3' })
    expect((await rowsOf('review'))?.map(({ name }) => name)).toEqual(['Old 3', 'New'])
    for (const id of [old, isNew]) await approveReview(id)
    expect(await rowsOf('review')).toEqual([])
    await update(old, { name: 'Old 4' })
    expect(await rowsOf('review')).toMatchObject([{ name: 'Old 4', age: { unit: 'minute' } }])
    await approveReview(old)
  })

  test('the inbox lists and counts payouts, differences from the provider’s records, violated invariants, and failing jobs', async () => {
    const before = (await inboxCount()) ?? 0
    for (const [n, status] of (['requested', 'requested', 'canceled'] as const).entries())
      await db().$executeRaw`
        INSERT INTO payouts (id, storefront_id, testmode, currency, amount, status, by_hand, created_at, finished_at)
        VALUES (${`payout_${String(n).padStart(22, '0')}`}, ${shop.storefrontId}, false, 'EUR', 100, ${status}, false,
          now() - interval '4 hours 5 minutes', ${status === 'canceled' ? new Date() : null})`
    for (const n of [1, 2])
      await db().$executeRaw`
        INSERT INTO tasks (id, name, key, storefront_id, testmode, clock, data, due_at, run_at, created_at, last_error)
        VALUES (${`task_${String(n).padStart(22, '0')}`}, 'email.send', ${`failing ${n}`}, '', false, 'real', '{}',
          now() + interval '1 day', now() + interval '1 day', now(), 'down')`
    expect(await rowsOf('payout')).toMatchObject([
      { count: 2, age: { unit: 'hour', count: 4 }, url: '/admin/payout-files' },
    ])
    expect(await rowsOf('bankFile')).toEqual([])
    expect(await rowsOf('job')).toMatchObject([{ name: 'email.send', count: 2 }])
    expect(await inboxCount()).toBe(before + 2)

    const differences = ['a', 'b'].map((ref) => ({
      kind: 'refund_amount' as const,
      ref,
      id: null,
      atProvider: '1',
      ours: null,
    }))
    const compared = { provider: 'mollie', payments: 2, refunds: 0, chargebacks: 0, settlements: null }
    await save(db(), { ...compared, differences, finishedAt: new Date() })
    const day = new Date().toISOString().slice(0, 10)
    await saveCheck(db(), { day, finishedAt: new Date(), broken: { 'I1 something holds': ['order_1'] } })
    expect(await rowsOf('difference')).toMatchObject([{ name: 'mollie', count: 2 }])
    expect(await rowsOf('invariant')).toMatchObject([{ name: 'I1 something holds' }])
  })

  test('a member of a merchant cannot open the inbox', async () => {
    const { merchant_id: id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const member = await aMember('inbox-owner@example.com', id, 'owner')
    expect(await inboxPage(member.cookies)).toBeNull()
    expect((await serviceFrame(member.cookies))?.staff).toBeNull()
  })
})

describe('a review', () => {
  test('a review shows the previous decisions about the merchant’s products, and the merchant’s disputes, sales, and age', async () => {
    const { id: first } = await factories.aPlan(shop.liveKey, { name: 'First' })
    await rejectReview(first, 'No imprint.')
    const { id } = await factories.aPlan(shop.liveKey, { name: 'Second' })
    const other = await aShop({ name: 'Another' })
    await rejectReview((await factories.aPlan(other.liveKey)).id, 'Of another merchant.')
    await db().$executeRaw`
      INSERT INTO daily_figures SELECT (jsonb_populate_record(NULL::daily_figures, jsonb_build_object('storefront_id',
        ${shop.storefrontId}::text, 'testmode', false, 'currency', 'EUR', 'day', current_date - 1, 'sales', 1000001, 'refunds', 0,
        'disputes', 0, 'orders', 1, 'opening_mrr', 0, 'new_mrr', 0, 'expansion_mrr', 0, 'contraction_mrr', 0, 'churn_mrr', 0,
        'reactivation_mrr', 0, 'closing_mrr', 0, 'opening_subscribers', 0, 'new_subscribers', 0, 'churned_subscribers', 0,
        'reactivated_subscribers', 0, 'closing_subscribers', 0, 'plans', '{}'::jsonb, 'countries', '{}'::jsonb,
        'cancellations', '{}'::jsonb))).*`
    const page = await reviewPage(id, null, cookies)
    if (!page || page.state === 'over') throw new Error('no review waits')
    expect(page.history.decisions[0]).toMatchObject({ id: first, name: 'First', rejectionReason: 'No imprint.' })
    expect(page.history.decisions.slice(1).every(({ rejectionReason }) => rejectionReason === null)).toBe(true)
    expect(page.history.decisions.length).toBeGreaterThan(2)
    expect(page.history).toMatchObject({
      disputes: { count: 0, lost: 0 },
      sales: [{ amount: { value: '10000.01', currency: 'EUR' }, orders: 1 }],
    })
    expect(Date.parse(page.history.since)).toBeLessThanOrEqual(Date.now())
  })
})
