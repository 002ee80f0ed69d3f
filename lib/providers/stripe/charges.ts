import type Stripe from 'stripe'
import { MoneyReturned, type PaymentProvider } from '../../modules/payments/provider.ts'
import { notCharged, type ProviderCharge, type ProviderPayment } from '../../modules/payments/provider-data.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { log } from '../../platform/log.ts'
import { requireSameAccount } from '../live-payments/account-fit.ts'
import { watched } from '../live-payments/account-problems.ts'
import type { AskedPayment } from '../live-payments/asked-payments.ts'
import { chargeOf, customerAndMethodOf, isUndecided, moneyReturned, paymentOf } from './answers.ts'
import { type Ask, type Opened, StripeAway, StripeRefused } from './client.ts'
import { reasonOfRefusal, waitingFor } from './failure.ts'
import { underKey } from './keys.ts'
import { chargebacksOf, chargeMade, getIntent, getSession, isSession, replaced } from './lookups.ts'
import { onStatement, type StripeMethod, typeOfCharge } from './methods.ts'
import type { ReadPaymentIntent } from './read.ts'
import { askedPayments, descriptionOf, metadataOf } from './sessions.ts'
import { saveCharge } from './store.ts'

type Request = Parameters<PaymentProvider['chargeMandate']>[1]

/** Charges a mandate. If an earlier request created this charge, or if an earlier charge of the order was paid, returns that charge instead. */
export const chargeMandate = (opened: Opened, tenant: Tenant, request: Request): Promise<ProviderCharge> =>
  watched(opened.name, 'charges', async () => {
    const { idempotencyKey, mandateRef, earlier = [] } = request
    const { customer } = customerAndMethodOf(mandateRef)
    const { asked, isFirst } = await askedPayments.begin(tenant, idempotencyKey, customer)
    const own = isFirst ? null : await chargeMade(opened.ask, tenant, asked)
    const made = own ?? (request.made === undefined ? null : await chargeKept(opened.ask, tenant, request.made))
    if (made) {
      await saveCharge(asked, made.id)
      return charged(await decide(opened.ask, made))
    }
    const took = await earlierThatTookMoney(opened.ask, tenant, earlier)
    if (took && !isFirst) await requireNotRunning(asked)
    if (took) return { ...charged(took), isEarlier: true }
    if (request.isDisputed) return notCharged
    return charge(opened, tenant, { request, asked })
  })

async function chargeKept(ask: Ask, tenant: Tenant, ref: string): Promise<ReadPaymentIntent> {
  const intent = await getIntent(ask, tenant, ref)
  const taken = chargeOf(intent)
  if (taken && moneyReturned(taken)) throw new MoneyReturned(`the payment ${ref} was refunded or disputed`)
  return intent
}

async function charge(
  { name, ask }: Opened,
  tenant: Tenant,
  { request, asked }: { request: Request; asked: AskedPayment },
): Promise<ProviderCharge> {
  const { idempotencyKey } = request
  const params = paramsOf(tenant, request)
  try {
    const intent = await underKey({ paymentId: idempotencyKey }, idempotencyKey, (key) =>
      ask((api) => api.paymentIntents.create(params, { idempotencyKey: key })).catch((error) =>
        waitIfNotOfBuyer(ask, key, error),
      ),
    )
    await saveCharge(asked, intent.id)
    return charged(intent)
  } catch (error) {
    if (!(error instanceof StripeRefused)) throw error
    const first = error.code === 'resource_missing' ? await askedPayments.firstOf(asked) : null
    if (first) await requireSameAccount(name, () => (isSession(first) ? getSession : getIntent)(ask, tenant, first))
    return refused(error, asked)
  }
}

const paramsOf = (tenant: Tenant, request: Request): Stripe.PaymentIntentCreateParams => {
  const { customer, paymentMethod } = customerAndMethodOf(request.mandateRef)
  const type = typeOfCharge[request.method as StripeMethod]
  return {
    amount: Number(request.amount.minor),
    currency: request.amount.currency.toLowerCase(),
    customer,
    payment_method: paymentMethod,
    allowed_payment_method_types: [type],
    ...onStatement(type),
    off_session: true,
    confirm: true,
    description: descriptionOf(request.orderId),
    metadata: metadataOf(tenant, request),
    expand: ['latest_charge'],
  }
}

/**
 * Always throws. If the buyer did not cause the refusal, first cancels the refused intent, because a later request for
 * the charge creates a new intent.
 */
async function waitIfNotOfBuyer(ask: Ask, key: string, error: unknown): Promise<never> {
  const waiting = error instanceof StripeRefused ? waitingFor(error) : null
  if (error instanceof StripeRefused && waiting && error.intentId !== null) {
    const { intentId } = error
    const why = { cancellation_reason: replaced } as const
    await ask((api) => api.paymentIntents.cancel(intentId, why, { idempotencyKey: `${key}-cancel` }))
  }
  throw waiting ?? error
}

export async function chargePayment(ask: Ask, tenant: Tenant, ref: string): Promise<ProviderPayment> {
  const intent = await decide(ask, await getIntent(ask, tenant, ref))
  return paymentOf(
    ref,
    { session: null, intent },
    { mandate: null, chargebacks: await chargebacksOf(ask, intent, ref) },
  )
}

/**
 * Milliseconds after which an intent without an outcome is canceled. Stripe responds within 80 seconds, so no request
 * for an hour-old intent is still in progress.
 */
const undecidedChargeCanceledAfterMs = 3_600_000

/**
 * Cancels an intent that has no outcome after an hour. If Stripe refuses the cancellation, for example because the
 * intent was paid in the meantime, returns the current intent.
 */
async function decide(ask: Ask, intent: ReadPaymentIntent): Promise<ReadPaymentIntent> {
  if (!isUndecided(intent) || Date.now() - 1000 * intent.created < undecidedChargeCanceledAfterMs) return intent
  log.warn({ intent: intent.id, status: intent.status }, 'a payment intent without an outcome is canceled')
  const paymentId = intent.metadata.payment ?? ''
  await underKey({ paymentId }, `${paymentId}-cancel`, (key) =>
    ask((api) => api.paymentIntents.cancel(intent.id, {}, { idempotencyKey: key })),
  ).catch((error) => {
    if (!(error instanceof StripeRefused)) throw error
  })
  return ask((api) => api.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] }))
}

/**
 * Returns the first earlier charge of the order that was paid and not refunded, or null. Throws `StripeAway` if an
 * earlier charge has no outcome yet.
 */
async function earlierThatTookMoney(
  ask: Ask,
  tenant: Tenant,
  refs: readonly string[],
): Promise<ReadPaymentIntent | null> {
  for (const ref of refs) {
    const intent = await decide(ask, await getIntent(ask, tenant, ref))
    if (intent.status === 'processing' || isUndecided(intent))
      throw new StripeAway('an earlier charge of the order has no outcome yet')
    if (intent.status === 'succeeded' && !chargeOf(intent)?.amount_refunded) return intent
  }
  return null
}

const mostRunningMs = 600_000

/**
 * Throws `StripeAway` if the first request for this charge is less than ten minutes old, because that request may still
 * create the charge.
 */
function requireNotRunning({ askedAt }: AskedPayment): void {
  if (Date.now() - askedAt.getTime() < mostRunningMs)
    throw new StripeAway('an earlier request for this charge may still be in progress')
}

const charged = (intent: ReadPaymentIntent): ProviderCharge =>
  paymentOf(intent.id, { session: null, intent }, { mandate: null, chargebacks: [] })

/** Returns the failed charge. Its `ref` is the intent of a declined charge, or null for a permanently refused request, which has no intent. */
async function refused(error: StripeRefused, asked: AskedPayment): Promise<ProviderCharge> {
  log.warn({ error: error.message }, 'a charge was refused')
  const { intentId: ref } = error
  if (ref !== null) await saveCharge(asked, ref)
  const failureReason = reasonOfRefusal(error)
  return { ref, status: 'failed', failureReason, mandate: null, settlesBefore: null }
}
