import { expect } from 'vitest'
import { formatMoney } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { checkoutPath } from '../../modules/checkouts/resource.ts'
import { paymentThatPaid } from '../../modules/payments/store.ts'
import { db } from '../../platform/db/db.ts'
import { newFormKey } from '../../platform/http/form-key.ts'
import { raiseChargeback } from '../../providers/sandbox/money-back.ts'
import { submitBillingUpdate } from '../../workflows/billing-update/submit-billing-update.ts'
import { changePage } from '../../workflows/portal/load-change.ts'
import { submitChange } from '../../workflows/portal/submit-change.ts'
import { submitCheckout } from '../../workflows/sale/submit-checkout.ts'
import { submitPaymentLink } from '../../workflows/sale/submit-payment-link.ts'
import { setPortalChangesTyped } from '../../workflows/storefronts/operations.ts'
import { chooseOutcome } from '../../workflows/test-payment-page/submit-test-payment.ts'
import { send } from '../api.ts'
import { aPlan } from '../factories.ts'
import { portalCookies, portalVisitor } from '../portal.ts'
import { changeForm } from '../portal-change.ts'
import { onProvidersPage } from '../scenarios.ts'
import { aShop, type Shop, stopClock, tokenOf } from '../shop.ts'
import { arrival, drainTasks } from '../subscription-scenario.ts'
import type { Basket, BillingUpdate } from './operations.ts'
import type { PaidOnPage } from './owed-sale.ts'
import type { Address, Plan } from './world.ts'

export interface Real {
  readonly shop: Shop
  readonly key: string
  readonly planIds: readonly string[]
  subscriptionIds: readonly string[]
  orderIds: readonly string[]
  lineIds: ReadonlyMap<string, readonly string[]>
  refundIds: readonly string[]
  chargebackIds: readonly string[]
  creditNoteIds: readonly string[]
}

export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any
}

export const price = (minor: bigint) => ({ value: formatMoney({ minor, currency: 'EUR' }), currency: 'EUR' })

export async function aRealShop(plans: readonly Plan[], now: Date): Promise<Real> {
  const shop = await aShop({ at: now.toISOString() })
  await setPortalChangesTyped(shop.storefrontId, { quantity: true, planIds: [] })
  const key = shop.testKey
  const planIds: string[] = []
  for (const { name, price: minor, interval, intervalCount, inclusive } of plans) {
    const taxBehavior = inclusive ? 'inclusive' : 'exclusive'
    const plan = await aPlan(key, { name, basePrice: price(minor), interval, intervalCount, taxBehavior })
    planIds.push(plan.id)
  }
  const none = { subscriptionIds: [], orderIds: [], refundIds: [], chargebackIds: [], creditNoteIds: [] }
  const real = { shop, key, planIds, lineIds: new Map(), ...none }
  await clockTo(real, now)
  return real
}

/**
 * Advances the clock to a time and stops it at this time. Proration counts seconds, so a running clock would make the
 * results depend on the speed of the test.
 */
export async function clockTo(real: Real, to: Date): Promise<Reply> {
  const { key, shop } = real
  await db().$executeRaw`
    UPDATE clocks SET frozen_at = NULL, advancing_to = NULL, runner_id = NULL, advance_leased_until = NULL WHERE storefront_id = ${shop.storefrontId}`
  const reply = await send('POST /v1/test-helpers/clock/advance', { key, body: { to: to.toISOString() } })
  await arrival(key, 0)
  await stopClock(shop, to)
  return reply
}

export async function runDueWork(real: Real, now: Date): Promise<void> {
  await stopClock(real.shop, now)
  await db().$executeRaw`
    UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()) WHERE clock = 'real' AND leased_until IS NULL AND name LIKE 'catalog.%'`
  await drainTasks()
}

/**
 * The tables have few rows, so DELETE takes a tenth of the time of TRUNCATE, which creates new files for each table and
 * index.
 */
export async function deleteEverything(): Promise<void> {
  await db().$transaction(async (sql) => {
    await sql.$executeRaw`SET LOCAL session_replication_role = replica`
    await sql.$executeRaw`
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_prisma%'
        LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
      END $$`
  })
}

export async function asReply(operation: Promise<unknown>): Promise<Reply> {
  try {
    return { status: 200, body: await operation }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, body: { code: error.code, errors: error.on } }
  }
}

const visitor = { acceptLanguage: 'en', header: () => null }
const buyer = ({ country, taxId }: Address) => ({ fullName: 'Ada', country, taxId })

export async function buy(
  { key, planIds }: Real,
  { items, method, address, mandate, viaLink }: Basket,
): Promise<Reply> {
  const products = items.map(({ plan, price: minor, ...item }) => ({
    id: planIds[plan],
    ...item,
    ...(minor !== undefined && { price: price(minor) }),
  }))
  const body = { products, redirectUrlSuccess: 'https://shop.example/', redirectUrlCanceled: 'https://shop.example/' }
  const reply = viaLink ? await aLink(key, products) : await send('POST /v1/checkouts', { key, body })
  if (reply.status !== 201) return reply
  const form = new URLSearchParams({ ...buyer(address), email: 'ada@example.com', paymentMethod: method })
  if (viaLink) form.set('key', newFormKey())
  const next = viaLink
    ? await submitPaymentLink(tokenOf(reply.body.url), form, visitor)
    : await submitCheckout(tokenOf(reply.body.links.checkoutUrl.href), form, visitor)
  const to = next?.redirectTo ?? ''
  if (to.startsWith('/pay/')) await chooseOutcome(tokenOf(to), new URLSearchParams({ outcome: 'paid', mandate }))
  return reply
}

async function aLink(key: string, items: readonly object[]): Promise<Reply> {
  const { status, body }: Reply = await send('POST /v1/payment-links', { key, body: { name: 'Link', items } })
  const errors = Object.entries(body?.errors ?? {}).map(([field, each]) => [field.replace(/^items/, 'products'), each])
  return { status, body: status === 201 ? body : { ...body, errors: Object.fromEntries(errors) } }
}

export async function changeAfterPreview({ key }: Real, id: string, body: object): Promise<Reply> {
  const newest = async () => (await send(`GET /v1/orders?subscriptionId=${id}&limit=1`, { key })).body.data[0]
  const before = await newest()
  const preview = await send(`POST /v1/subscriptions/${id}/preview`, { key, body })
  const reply: Reply = await send(`PATCH /v1/subscriptions/${id}`, { key, body })
  const { dueNow, refusal } = preview.status === 200 ? preview.body : { dueNow: null, refusal: preview.body }
  expect(refusal?.code).toBe(reply.status === 200 ? undefined : reply.body.code)
  if (refusal) expect(refusal.errors).toEqual(reply.body.errors)
  const order = await newest()
  expect(dueNow?.total).toEqual(order?.id === before?.id ? undefined : order.total)
  return reply
}

export async function changeInPortal({ key }: Real, id: string, quantity: number): Promise<Reply> {
  const subscription = () => send(`GET /v1/subscriptions/${id}`, { key })
  const { customerId } = (await subscription()).body
  const cookies = await portalCookies({ key, customerId })
  const query = new URLSearchParams({ quantity: String(quantity) })
  const page = await changePage(id, portalVisitor(cookies), query)
  if (!page || page.block || page.problem) return { status: 422, body: null }
  const done = page.preview?.direction === 'increase' ? 'changed' : 'scheduled'
  const next = await submitChange(id, changeForm(page), cookies)
  expect(next).toEqual({ redirectTo: `/portal/subscriptions/${id}?done=${done}` })
  return subscription()
}

export async function returnDebit({ shop }: Real, orderId: string, code: string): Promise<void> {
  const payment = await paymentThatPaid(db(), orderId)
  if (!payment?.ref) throw new Error(`no debit paid the order ${orderId}`)
  await raiseChargeback(shop.scope, payment.ref, { amount: payment.amount, reason: code })
}

/** Pays an unpaid sale on the checkout page, and chooses the outcome if the page leads to the test provider. */
export async function payOwedSale(_: Real, orderId: string, { method, outcome }: PaidOnPage): Promise<void> {
  const { checkout_id } = await db().orders.findUniqueOrThrow({ where: { id: orderId } })
  const token = tokenOf(checkoutPath(checkout_id ?? ''))
  const to = (await submitCheckout(token, new URLSearchParams({ paymentMethod: method }), visitor))?.redirectTo ?? ''
  const form = new URLSearchParams({ outcome, failureReason: 'general_failure' })
  if (to.startsWith('/pay/')) await chooseOutcome(tokenOf(to), form)
}

export async function updateBilling(
  { key }: Real,
  id: string,
  { address, method, mandate }: BillingUpdate,
): Promise<Reply> {
  const body = { redirectUrlSuccess: 'https://shop.example/done', redirectUrlCanceled: 'https://shop.example/' }
  const reply = await send(`POST /v1/subscriptions/${id}/billing-update-link`, { key, body })
  if (reply.status !== 200) return reply
  const form = { ...buyer(address), paymentMethod: method ?? 'keep' }
  const next = await onProvidersPage(
    await submitBillingUpdate(tokenOf(reply.body.href), new URLSearchParams(form), visitor),
    { mandate },
  )
  expect(next).toEqual({ redirectTo: body.redirectUrlSuccess })
  return reply
}
