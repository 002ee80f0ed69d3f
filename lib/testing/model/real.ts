import { expect } from 'vitest'
import { formatMoney } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { db } from '../../platform/db/db.ts'
import { submitBillingUpdate } from '../../workflows/billing-update/submit-billing-update.ts'
import { submit } from '../../workflows/sale/submit-checkout.ts'
import { chooseOutcome } from '../../workflows/test-payment-page/submit-test-payment.ts'
import { send } from '../api.ts'
import { aPlan } from '../factories.ts'
import { onProvidersPage } from '../scenarios.ts'
import { aShop, type Shop, stopClock, tokenOf } from '../shop.ts'
import { arrival, drainTasks } from '../subscription-scenario.ts'
import type { Basket, BillingUpdate } from './operations.ts'
import type { Address, Plan } from './world.ts'

/** The real service beside the model: its API and its hosted forms. */

export interface Real {
  readonly shop: Shop
  readonly key: string
  readonly planIds: readonly string[]
  subscriptionIds: readonly string[]
  /** Order ids, oldest first, like all lists below. */
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

// ── time ──

/** Advances the clock and stops it there: proration counts seconds, and the duration of a command must not matter. */
export async function clockTo(real: Real, to: Date): Promise<Reply> {
  const { key, shop } = real
  await db().$executeRaw`
    UPDATE clocks SET frozen_at = NULL, advancing_to = NULL, runner_id = NULL, advance_leased_until = NULL WHERE storefront_id = ${shop.storefrontId}`
  const reply = await send('POST /v1/test-helpers/clock/advance', { key, body: { to: to.toISOString() } })
  await arrival(key, 0)
  await stopClock(shop, to)
  return reply
}

/** Runs everything that is due now. Tasks that wait a few real seconds run at once. */
export async function runDueWork(real: Real, now: Date): Promise<void> {
  await stopClock(real.shop, now)
  await db().$executeRaw`
    UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()) WHERE clock = 'real' AND leased_until IS NULL AND name LIKE 'catalog.%'`
  await drainTasks()
}

/**
 * Deletes everything, so that no task is left and each run starts with an equally small database. For so few rows,
 * DELETE takes a tenth of the time of TRUNCATE, which creates new files for each table and index.
 */
export async function deleteEverything(): Promise<void> {
  await db().$transaction(async (sql) => {
    // The ledger's triggers refuse deletions, so they are disabled.
    await sql.$executeRaw`SET LOCAL session_replication_role = replica`
    await sql.$executeRaw`
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_prisma%'
        LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
      END $$`
  })
}

// ── operations without HTTP ──

/** Runs a command-line operation, and returns a refusal in the form of an HTTP response. */
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

export async function buy({ key, planIds }: Real, { items, method, address, mandate }: Basket): Promise<Reply> {
  const products = items.map(({ plan, price: minor, ...item }) => ({
    id: planIds[plan],
    ...item,
    ...(minor !== undefined && { price: price(minor) }),
  }))
  const body = { products, redirectUrlSuccess: 'https://shop.example/', redirectUrlCanceled: 'https://shop.example/' }
  const reply = await send('POST /v1/checkouts', { key, body })
  if (reply.status !== 201) return reply
  const form = { ...buyer(address), email: 'ada@example.com', paymentMethod: method }
  const next = await submit(tokenOf(reply.body.links.checkoutUrl.href), new URLSearchParams(form), visitor)
  const to = next?.redirectTo ?? ''
  if (to.startsWith('/pay/')) await chooseOutcome(tokenOf(to), new URLSearchParams({ outcome: 'paid', mandate }))
  return reply
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
