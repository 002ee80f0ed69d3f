import type Stripe from 'stripe'
import { Refusal } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { AskedPayment } from '../live-payments/asked-payments.ts'
import { chargebackRef, chargeOf, included, takesMoney } from './answers.ts'
import { type Ask, StripeRefused } from './client.ts'
import { isOfAccount } from './failure.ts'
import type { ReadDispute, ReadPaymentIntent, ReadRefund, ReadSession } from './read.ts'

/** `getSession`, `getIntent`, and `intentOf` throw `not_found` for a missing object and for an object of another storefront. */

/** A checkout session has the prefix `cs_`. All other references are payment intents. */
export const isSession = (ref: string): boolean => ref.startsWith('cs_')

export const getSession = (ask: Ask, tenant: Tenant, ref: string): Promise<ReadSession> =>
  ofStorefront(tenant, ref, () =>
    ask((api) =>
      api.checkout.sessions.retrieve(ref, {
        expand: [
          ...['payment_intent.latest_charge', 'payment_intent.payment_method'],
          ...['setup_intent.latest_attempt', 'setup_intent.payment_method'],
        ],
      }),
    ),
  )

export const getIntent = (ask: Ask, tenant: Tenant, ref: string): Promise<ReadPaymentIntent> =>
  ofStorefront(tenant, ref, () => ask((api) => api.paymentIntents.retrieve(ref, { expand: ['latest_charge'] })))

export const getDispute = (ask: Ask, id: string): Promise<ReadDispute> =>
  ask((api) => api.disputes.retrieve(id)).catch(notFound)

function notFound(error: unknown): never {
  throw error instanceof StripeRefused && error.status === 404 ? new Refusal('not_found') : error
}

export async function intentOf(ask: Ask, tenant: Tenant, paymentRef: string): Promise<string> {
  if (!isSession(paymentRef)) return (await getIntent(ask, tenant, paymentRef)).id
  const intent = included((await getSession(ask, tenant, paymentRef)).payment_intent)
  if (!intent) throw new Refusal('not_found')
  return intent.id
}

async function ofStorefront<Found extends { metadata: Stripe.Metadata | null }>(
  { storefrontId }: Tenant,
  ref: string,
  find: () => Promise<Found>,
): Promise<Found> {
  if (!/^(?:cs|pi)_\w{1,200}$/.test(ref)) throw new Refusal('not_found')
  const found = await find().catch(notFound)
  if (found.metadata?.storefront !== storefrontId) throw new Refusal('not_found')
  return found
}

const dayS = 86_400

export const replaced = 'duplicate'

/**
 * Searches for the charge of an earlier request. The response to that request may have been lost, and Stripe stores
 * idempotency keys for only about a day. Returns the charge, or null. Ignores an intent that failed because of an
 * account problem.
 */
export async function chargeMade(
  ask: Ask,
  tenant: Tenant,
  { paymentId, customerRef, ref, askedAt }: AskedPayment,
): Promise<ReadPaymentIntent | null> {
  if (ref) return getIntent(ask, tenant, ref)
  if (!customerRef) return null
  const since = Math.floor(askedAt.getTime() / 1000) - dayS
  const common = { customer: customerRef, created: { gte: since }, limit: 100, expand: ['data.latest_charge'] }
  const isOurs = (intent: ReadPaymentIntent) => intent.metadata.payment === paymentId && !isOfAccountProblem(intent)
  for (let after: string | undefined; ; ) {
    const page = await ask((api) => api.paymentIntents.list({ ...common, ...(after && { starting_after: after }) }))
    const made = page.data.find(isOurs)
    if (made || !page.has_more) return made ?? null
    after = page.data.at(-1)?.id
  }
}

const isOfAccountProblem = ({ status, cancellation_reason, last_payment_error }: ReadPaymentIntent): boolean =>
  (status === 'canceled' && cancellation_reason === replaced) ||
  (status === 'requires_payment_method' && last_payment_error !== null && isOfAccount(last_payment_error))

export async function refundMade(ask: Ask, intent: string, idempotencyKey: string): Promise<ReadRefund | null> {
  const { data } = await ask((api) => api.refunds.list({ payment_intent: intent, limit: 100 }))
  return data.find(({ metadata }) => metadata?.refund === idempotencyKey) ?? null
}

export async function chargebacksOf(ask: Ask, intent: ReadPaymentIntent, paymentRef: string): Promise<string[]> {
  if (!chargeOf(intent)?.disputed) return []
  const { data } = await ask((api) => api.disputes.list({ payment_intent: intent.id, limit: 20 }))
  return data.filter(takesMoney).map(({ id }) => chargebackRef(paymentRef, id))
}
