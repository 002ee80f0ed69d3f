import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emailPage, submitEmail } from '../../admin/pages.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { decisive, expireLeases, killedAt } from '../../testing/crash.ts'
import { read } from '../../testing/email-text.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, type Sale } from '../../testing/money-back.ts'
import { anOperator } from '../../testing/operator.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { answered, aReceiver } from '../../testing/receiver.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { raise, syncNow } from '../../workflows/chargeback/operations.ts'
import * as catalog from '../catalog/operations.ts'
import { listEmails, switchKind } from '../emails/operations.ts'
import type { MemberEmailKind } from '../emails/rules/email.ts'
import { isForMember } from '../emails/rules/for-member.ts'
import { createPayout } from '../payouts/operations.ts'
import { register } from '../webhooks/operations.ts'
import { createMember } from './operations.ts'
import { roles } from './rules/access.ts'

let receiver: Awaited<ReturnType<typeof aReceiver>>
beforeAll(async () => {
  receiver = await aReceiver()
})
afterAll(() => receiver.close())
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const merchantOf = async ({ storefrontId }: Pick<Shop, 'storefrontId'>) =>
  (await db().storefronts.findUniqueOrThrow({ where: { id: storefrontId } })).merchant_id

/** The set-up includes the owner of another merchant, who must get no email. */
async function withMembers(shop: Shop): Promise<Shop> {
  const other = await aShop()
  const log = { password: 'correct horse battery' }
  for (const role of roles) {
    const email = `${role}@${shop.storefrontId.slice(-8).toLowerCase()}.example`
    await createMember({ ...log, email, role, merchantId: await merchantOf(shop) })
  }
  const email = `owner@${other.storefrontId.slice(-8).toLowerCase()}.example`
  await createMember({ ...log, email, role: 'owner', merchantId: await merchantOf(other) })
  return shop
}

async function notified(shop: Pick<Shop, 'storefrontId'>) {
  const emails = (await listEmails(shop.storefrontId)).filter(({ kind }) => isForMember(kind)).reverse()
  return emails.map(({ kind, to }) => `${kind} ${to.split('@')[0]}`)
}
async function textOf(shop: Pick<Shop, 'storefrontId'>, wanted: MemberEmailKind) {
  const email = (await listEmails(shop.storefrontId)).find(({ kind }) => kind === wanted)
  return { id: email?.id ?? '', subject: read(email?.subject ?? ''), text: read(email?.text ?? '') }
}

const chargebacks = ['owner', 'support', 'accountant'].map((role) => `chargeback_received ${role}`)
const payouts = ['owner', 'accountant'].map((role) => `payout_created ${role}`)
const reviews = ['owner', 'developer'].map((role) => `review_decided ${role}`)
const endpoints = ['owner', 'developer'].map((role) => `endpoint_disabled ${role}`)

describe('payouts', () => {
  let sale: Sale
  beforeEach(async () => {
    sale = await aSale({ price: '100.00' })
    await withMembers(sale.shop)
  })
  const payout = () => createPayout(sale.tenant, { amount: '40.00', reference: 'transfer 7' })

  test('repeated parallel requests for one payout send one email to each owner and accountant', async () => {
    const sql = 'SELECT 1 FROM ledger_accounts WHERE storefront_id = $1 FOR UPDATE'
    await raceBehind({ sql, values: [sale.shop.storefrontId] }, [payout, payout, payout])
    await payout()
    expect(await notified(sale.shop)).toEqual(payouts)
    const { subject, text } = await textOf(sale.shop, 'payout_created')
    expect(subject).toBe('Payout from Lumen Software: €40.00')
    expect(text).toContain('Reference: transfer 7')
    expect(text).toContain(`http://billhook.test/admin/test/${sale.shop.storefrontId}/payouts/payout_`)
    await expect(createPayout(sale.tenant, { amount: '400.00' })).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await notified(sale.shop)).toEqual(payouts)
  })

  test('a payout sends one email to each recipient, even if the process is killed before or after any commit', async () => {
    for (const [n, moment] of [
      [1, 'before'],
      [1, 'after'],
    ] as const) {
      expect(await killedAt(n, moment, payout, decisive())).toBe(true)
      await expireLeases()
    }
    await payout()
    expect(await notified(sale.shop)).toEqual(payouts)
  })

  test('a payout sends no email if emails about payouts are switched off', async () => {
    await switchKind(sale.shop.storefrontId, 'payout_created', false)
    await payout()
    expect(await notified(sale.shop)).toEqual([])
  })
})

describe('chargebacks', () => {
  test('a new chargeback is emailed to owners, support, and accountants, but a later report of the same chargeback is not', async () => {
    const { shop, orderId, tenant } = await aSale({ price: '100.00' })
    await withMembers(shop)
    const { chargebackId } = await raise(orderId, { amount: '40.33', reason: 'fraud' })
    expect(await notified(shop)).toEqual(chargebacks)
    const { provider_ref: ref } = await db().chargebacks.findUniqueOrThrow({ where: { id: chargebackId } })
    for (let n = 0; n < 2; n++) await syncNow(tenant, { orderId, ref })
    await runDueTasks()
    expect(await notified(shop)).toEqual(chargebacks)
    const { text } = await textOf(shop, 'chargeback_received')
    expect(text).toMatch(/disputed the payment of invoice TEST-INV-\d{4}-000001 from Lumen Software: €40.33\./)
    expect(text).toContain(`/admin/test/${shop.storefrontId}/chargebacks/${chargebackId}\n`)
    expect(text).toContain('€55.33 has been deducted from your balance: €40.33 disputed and €15.00 fee.')
  })

  test('the email about a chargeback above the order total states that the balance does not change before a review', async () => {
    const { shop, orderId } = await aSale({ price: '100.00' })
    await withMembers(shop)
    await raise(orderId, { amount: '999.00', reason: 'fraud' })
    expect(await notified(shop)).toEqual(chargebacks)
    expect((await textOf(shop, 'chargeback_received')).text).toContain('Until then, your balance does not change.')
  })
})

describe('reviews', () => {
  const live = ({ storefrontId }: Shop) => ({ storefrontId, testmode: false })
  const aPlanToReview = async (shop: Shop) =>
    (
      await catalog.create(live(shop), 'one_off_product', {
        name: 'Handbook',
        description: 'About engines',
        productType: 'ebook',
        taxBehavior: 'exclusive',
        basePrice: { minor: 2450n, currency: 'EUR' },
      })
    ).id

  test('the approval of a product is emailed to owners and developers, and a refused second approval sends no email', async () => {
    const shop = await withMembers(await aShop())
    const id = await aPlanToReview(shop)
    await catalog.startReview(id)
    expect(await notified(shop)).toEqual([])
    await catalog.approveReview(id)
    await expect(catalog.approveReview(id)).rejects.toMatchObject({ code: 'product_not_reviewable' })
    expect(await notified(shop)).toEqual(reviews)
    const { subject, text } = await textOf(shop, 'review_decided')
    expect([subject, text]).toEqual(['Review: Handbook was approved', expect.stringContaining('It can be sold')])
    expect(text).toContain(`/admin/live/${shop.storefrontId}/catalog/${id}\n`)
  })

  test('the email about a rejected product states the reason', async () => {
    const shop = await withMembers(await aShop())
    await catalog.rejectReview(await aPlanToReview(shop), 'No description\nof what is sold.')
    expect(await notified(shop)).toEqual(reviews)
    const { subject, text } = await textOf(shop, 'review_decided')
    expect(subject).toBe('Review: Handbook was not approved')
    expect(text).toContain('Reason: No description of what is sold.')
  })

  test('in test mode, the email about a reviewed plan change states the mode and the new name of the plan', async () => {
    const shop = await withMembers(await aShop())
    const { id } = await factories.aPlan(shop.testKey)
    expect(await notified(shop)).toEqual([])
    const body = { name: 'Pro+', basePrice: factories.price('99.00') }
    await send(`PATCH /v1/subscription-plans/${id}`, { key: shop.testKey, body })
    await db().tasks.updateMany({ where: { name: { startsWith: 'catalog' } }, data: { run_at: new Date(0) } })
    await runDueTasks()
    expect(await notified(shop)).toEqual(reviews)
    expect((await textOf(shop, 'review_decided')).text).toMatch(
      /^Test mode: .*\n(?:.*\n)*The changes to Pro\+ at Lumen Software/,
    )
  })
})

describe('disabled endpoints', () => {
  test('owners and developers get one email with the host of a webhook endpoint that responds with 410', async () => {
    const shop = await withMembers(await aShop())
    const { id } = await register(shop.scope, {
      url: `${receiver.url}/${shop.storefrontId}?token=hush`,
      secret: 'whsec_0123456789',
    })
    receiver.answer = answered(410)
    for (let n = 0; n < 3; n++) await aSale({ price: '10.00', shop, buyer: { email: `n${n}@example.com` } })
    await runDueTasks()
    expect(await notified(shop)).toEqual(endpoints)
    const { subject, text } = await textOf(shop, 'endpoint_disabled')
    expect(subject).toBe(`${new URL(receiver.url).host} no longer receives webhook events`)
    expect(text).toContain(`/admin/test/${shop.storefrontId}/endpoints/${id}\n`)
    expect(text).not.toMatch(/hush|\/hook/)
  })
})

test('a payout and a chargeback of a merchant without members succeed without emails', async () => {
  const { shop, tenant, orderId } = await aSale({ price: '100.00' })
  await createPayout(tenant, { amount: '1.00' })
  await raise(orderId, { reason: 'fraud' })
  await runDueTasks()
  expect(await notified(shop)).toEqual([])
})

test('staff can read and resend a live-mode email to a member', async () => {
  const { cookies } = await anOperator('desk@example.com')
  const shop = await withMembers(await aShop())
  const { id: productId } = await catalog.create({ ...shop.scope, testmode: false }, 'one_off_product', {
    name: 'Handbook',
    description: 'About engines',
    productType: 'ebook',
    taxBehavior: 'exclusive',
    basePrice: { minor: 2450n, currency: 'EUR' },
  })
  await catalog.approveReview(productId)
  const { id } = await textOf(shop, 'review_decided')
  const place = { mode: 'live', storefrontId: shop.storefrontId }
  expect(await emailPage(place, id, cookies)).toMatchObject({
    text: expect.stringContaining(`/admin/live/${shop.storefrontId}/catalog/${productId}\n`),
    mayResend: true,
  })
  const form = new URLSearchParams({ intent: 'resend', key: randomUUID() })
  expect((await submitEmail(place, id, form, cookies))?.redirectTo).toMatch(/\?done=resent$/)
  expect(await notified(shop)).toHaveLength(3)
})
