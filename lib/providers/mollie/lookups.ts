import type { z } from 'zod'
import { Refusal } from '../../kernel/refusal.ts'
import { MoneyReturned } from '../../modules/payments/provider.ts'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { AskedPayment } from '../live-payments/asked-payments.ts'
import { chargebackRef, mandateOf, moneyReturned, paymentOf } from './answers.ts'
import { type Ask, MollieRefused, type Opened } from './client.ts'
import {
  type MollieMandate,
  type MolliePayment,
  type MollieRefund,
  mollieChargeback,
  mollieMandate,
  molliePayment,
  mollieRefund,
  pageOf,
} from './shapes.ts'

/**
 * Returns a payment of the storefront. Throws `not_found` for a missing payment and for a payment of another
 * storefront.
 */
export async function getPayment(ask: Ask, tenant: Tenant, ref: string): Promise<MolliePayment> {
  const payment = await ask(molliePayment, { method: 'GET', path: `payments/${idOf(ref)}` }).catch((error) => {
    throw error instanceof MollieRefused && error.status === 404 ? new Refusal('not_found') : error
  })
  if (payment.metadata?.storefront !== tenant.storefrontId) throw new Refusal('not_found')
  return payment
}

export async function described({ name, ask }: Opened, payment: MolliePayment): Promise<ProviderPayment> {
  const isPaid = payment.status === 'paid' || payment.status === 'pending'
  const mandate = isPaid && payment.sequenceType === 'first' ? await mandateMade({ name, ask }, payment) : null
  const isDisputed = payment._links.chargebacks || Number(payment.amountChargedBack?.value ?? 0) > 0
  return paymentOf(payment, { mandate, chargebacks: isDisputed ? await chargebacksOf(ask, payment) : [] })
}

/**
 * Returns the mandate of a first payment, or null if the mandate or the customer was deleted. If the payment names no
 * mandate, returns the mandate of its customer, who has no other mandate.
 */
async function mandateMade({ name, ask }: Opened, { customerId, mandateId }: MolliePayment) {
  if (!customerId) return null
  const path = `customers/${idOf(customerId)}/mandates`
  if (mandateId) {
    const made = await ask(mollieMandate, { method: 'GET', path: `${path}/${idOf(mandateId)}` }).catch(noneIfGone)
    return made && mandateOf(name, customerId, made)
  }
  const shape: z.ZodType<{ items: MollieMandate[] }> = pageOf('mandates', mollieMandate)
  const made = await ask(shape, { method: 'GET', path: `${path}?limit=50` }).catch(noneIfGone)
  const chargeable = made?.items.find(({ status }) => status !== 'invalid')
  return chargeable ? mandateOf(name, customerId, chargeable) : null
}

async function chargebacksOf(ask: Ask, { id }: MolliePayment): Promise<string[]> {
  const shape = pageOf('chargebacks', mollieChargeback)
  const { items } = await ask(shape, { method: 'GET', path: `payments/${idOf(id)}/chargebacks` })
  return items.map(chargebackRef)
}

/**
 * Searches for the payment of an earlier request for the same charge. The response to that request may have been lost,
 * and Mollie stores idempotency keys for only one hour.
 */
export async function paymentMade(
  ask: Ask,
  tenant: Tenant,
  { paymentId, customerRef, ref, askedAt }: AskedPayment,
): Promise<MolliePayment | null> {
  if (ref) return getPayment(ask, tenant, ref)
  if (!customerRef) return null
  const shape: z.ZodType<PageOfPayments> = pageOf('payments', molliePayment)
  let path: string | null = `customers/${idOf(customerRef)}/payments?limit=250`
  while (path) {
    const page: PageOfPayments | null = await ask(shape, { method: 'GET', path }).catch(noneIfGone)
    if (!page) return null
    const made = page.items.find(({ metadata }) => metadata?.payment === paymentId)
    if (made) return made
    const isOlder = page.items.some(({ createdAt }) => createdAt.getTime() < askedAt.getTime() - dayMs)
    const from: string | null = page.next === null ? null : new URL(page.next).searchParams.get('from')
    path = isOlder || !from ? null : `customers/${idOf(customerRef)}/payments?limit=250&from=${idOf(from)}`
  }
  return null
}

/**
 * Returns the payment with the reference `ref`. Throws `MoneyReturned` if money of the payment was refunded or charged
 * back.
 */
export async function paymentKept(ask: Ask, tenant: Tenant, ref: string): Promise<MolliePayment> {
  const payment = await getPayment(ask, tenant, ref)
  if (moneyReturned(payment)) throw new MoneyReturned(`the payment ${ref} was refunded or disputed`)
  return payment
}

const dayMs = 86_400_000
type PageOfPayments = { items: MolliePayment[]; next: string | null }

export const isGone = (error: unknown): boolean =>
  error instanceof MollieRefused && (error.status === 404 || error.status === 410)

function noneIfGone(error: unknown): null {
  if (!isGone(error)) throw error
  return null
}

export async function refundMade(ask: Ask, path: string, idempotencyKey: string): Promise<MollieRefund | null> {
  const { items } = await ask(pageOf('refunds', mollieRefund), { method: 'GET', path: `${path}?limit=250` })
  return items.find(({ metadata }) => metadata?.refund === idempotencyKey) ?? null
}

export function idOf(id: string): string {
  if (!/^[A-Za-z]{2,10}_[A-Za-z0-9]{1,60}$/.test(id)) throw new Refusal('not_found')
  return id
}
