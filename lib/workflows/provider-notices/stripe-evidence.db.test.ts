import { afterAll, beforeAll, expect, it } from 'vitest'
import { evidenceToSend } from '../../modules/chargebacks/evidence-store.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aShopOf, tryAgain } from '../../testing/live-sales.ts'
import { runDueTasks } from '../../testing/shop.ts'
import { type Stripe, takePaymentsAtStripe } from '../../testing/stripe-sales.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { answerDispute, checkedEvidence } from '../chargeback/answer.ts'
import { syncNow } from '../chargeback/operations.ts'
import { providerThatWasPaid } from '../collection/provider-of.ts'
import { findMissedChargebacks } from './missed.ts'

let provider: Stripe
beforeAll(async () => {
  provider = await takePaymentsAtStripe()
})
afterAll(() => provider.close())

const evidence = () =>
  checkedEvidence({
    statement: 'The buyer used it.',
    files: [{ kind: 'receipt', bytes: new TextEncoder().encode('%PDF-1.7') }],
  })

const answerOf = async (id: string) => (await db().chargebacks.findUniqueOrThrow({ where: { id } })).answer

async function disputed() {
  const { key, charges: _, ...shop } = await aShopOf(provider, 1)
  const [{ id: orderId }] = (await get(key, '/v1/orders?limit=1')).data
  const payment = await db().payments.findFirstOrThrow({ where: { order_id: orderId, status: 'paid' } })
  provider.dispute(payment.provider_ref ?? '')
  await findMissedChargebacks()
  await runDueTasks(1000)
  const [{ id }] = (await get(key, `/v1/orders/${orderId}/chargebacks`)).data
  const tenant = { storefrontId: payment.storefront_id, testmode: payment.testmode }
  const status = async () => (await send(`GET /v1/chargebacks/${id}`, { key })).body.status
  return { ...shop, id, tenant, status }
}

it('dispute evidence with a file is submitted to Stripe, even after failed attempts, and the deadline is stored', async () => {
  const { id, tenant, status } = await disputed()
  const { respond_by } = await db().chargebacks.findUniqueOrThrow({ where: { id } })
  expect(respond_by?.getTime()).toBeGreaterThan(Date.now() + 13 * 86_400_000)
  await answerDispute(tenant, id, evidence())
  provider.failNext(500)
  await runDueTasks(1000)
  await tryAgain(provider, 4)
  expect(await status()).toBe('evidence_submitted')
  expect(await answerOf(id)).toBe('evidence')
  expect(await db().chargeback_evidence.count({ where: { chargeback_id: id, sealed: { not: null } } })).toBe(0)
  expect(await brokenInvariants()).toEqual({})
})

it('a new deadline of a dispute at Stripe is stored, and is kept if Stripe later states no deadline', async () => {
  const { id, tenant, status } = await disputed()
  const { order_id: orderId, provider_ref: ref } = await db().chargebacks.findUniqueOrThrow({ where: { id } })
  const dispute = provider.standIn.books.disputes.at(-1)
  const stored = async () => (await db().chargebacks.findUniqueOrThrow({ where: { id } })).respond_by?.getTime()
  const later = Math.floor(Date.now() / 1000) + 20 * 86_400
  for (const due_by of [later, null]) {
    Object.assign(dispute?.evidence_details ?? {}, { due_by })
    await syncNow(tenant, { orderId, ref })
    expect(await stored()).toBe(later * 1000)
  }
  expect(await status()).toBe('pending')
})

it('dispute evidence counts as sent if an interrupted attempt submitted it to Stripe', async () => {
  const { id, tenant, status } = await disputed()
  await answerDispute(tenant, id, evidence())
  const { provider_ref: ref, order_id } = await db().chargebacks.findUniqueOrThrow({ where: { id } })
  const parts = await evidenceToSend(db(), tenant, id)
  const stripe = await providerThatWasPaid(order_id)
  expect(await stripe.submitEvidence?.(tenant, { ref, evidence: parts ?? [] })).toBe('taken')
  await runDueTasks(1000)
  expect([await status(), await answerOf(id)]).toEqual(['evidence_submitted', 'evidence'])
})

it('dispute evidence is not sent if the dispute already has other evidence at Stripe', async () => {
  const { id, tenant, status } = await disputed()
  await answerDispute(tenant, id, evidence())
  const dispute = provider.standIn.books.disputes.at(-1)
  Object.assign(dispute ?? {}, { status: 'under_review', evidence: { uncategorized_text: 'From the dashboard.' } })
  await runDueTasks(1000)
  expect(await status()).toBe('evidence_submitted')
  expect(dispute?.evidence).toEqual({ uncategorized_text: 'From the dashboard.' })
  expect(await answerOf(id)).toBe('late')
  expect(await db().chargeback_evidence.count({ where: { chargeback_id: id } })).toBe(0)
})

it('dispute evidence can be sent again after Stripe refused it', async () => {
  const { id, tenant, status } = await disputed()
  await answerDispute(tenant, id, evidence())
  provider.standIn.refuse('/v1/files', { code: 'invalid_file' })
  await runDueTasks(1000)
  provider.standIn.refuse('/v1/files', null)
  expect([await status(), await answerOf(id)]).toEqual(['pending', 'refused'])
  await answerDispute(tenant, id, evidence())
  await runDueTasks(1000)
  expect([await status(), await answerOf(id)]).toEqual(['evidence_submitted', 'evidence'])
})

it('a conceded dispute is closed at Stripe and is accepted', async () => {
  const { id, tenant, status } = await disputed()
  await answerDispute(tenant, id, null)
  await runDueTasks(1000)
  await tryAgain(provider)
  expect([await status(), await answerOf(id)]).toEqual(['accepted', 'concede'])
})
