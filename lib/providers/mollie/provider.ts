import { z } from 'zod'
import type { Currency } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import {
  FirstPaymentRefused,
  type MethodsFor,
  type PaymentProvider,
  type ProviderNotice,
} from '../../modules/payments/provider.ts'
import { notCharged, type ProviderCharge, type ProviderRefund } from '../../modules/payments/provider-data.ts'
import type { MandateMethod } from '../../modules/subscriptions/rules/index.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import type { Account } from '../account.ts'
import { requireSameAccount } from '../live-payments/account-fit.ts'
import { type AskedPayment, AskedPayments } from '../live-payments/asked-payments.ts'
import { withEmail } from '../live-payments/sent-email.ts'
import { chargebackOf, customerAndMandateOf, mandateOf, paymentOf, refundOf, transferOf } from './answers.ts'
import { booked, missingPermissions, recentChargebacks, settledSince } from './books.ts'
import { type Ask, askerOf, MollieBusy, MollieRefused, type Opened } from './client.ts'
import { described, getPayment, idOf, isGone, paymentMade, refundMade } from './lookups.ts'
import { chargeLimits, learnLimits, methods } from './methods.ts'
import { amountOf, localeOf, paymentBody } from './requests.ts'
import {
  type MolliePayment,
  mollieChargeback,
  mollieCustomer,
  mollieMandate,
  molliePayment,
  mollieRefund,
} from './shapes.ts'

const askedPayments = new AskedPayments('mollie_payments')

type Asked<Call extends 'createFirstPayment' | 'chargeMandate' | 'refund'> = Parameters<PaymentProvider[Call]>[1]

/** Mollie, by its API v2. Its notices carry an id alone: the state is fetched, so that a forged one does nothing. */
export class Mollie implements PaymentProvider, Opened {
  readonly name: string
  readonly isPolled = true
  readonly ask: Ask
  private readonly account: Account

  constructor(account: Account) {
    this.account = account
    this.name = account.name
    this.ask = askerOf(account)
  }

  methods(_tenant: Tenant, sale: MethodsFor) {
    return methods(this.account, sale)
  }

  chargeLimits(method: MandateMethod, currency: Currency) {
    return chargeLimits(this.account, method, currency)
  }

  learnLimits(currency: Currency) {
    return learnLimits(this.account, currency)
  }

  createFirstPayment(tenant: Tenant, request: Asked<'createFirstPayment'>) {
    return this.openFirstPayment(tenant, request).catch((error) => {
      throw error instanceof MollieRefused ? new FirstPaymentRefused(error.message) : error
    })
  }

  private async openFirstPayment(tenant: Tenant, request: Asked<'createFirstPayment'>) {
    const { idempotencyKey, makesMandate, returnUrl } = request
    const { asked } = await askedPayments.begin(tenant, idempotencyKey, null)
    if (asked.ref) return openedAt(await getPayment(this.ask, tenant, asked.ref), returnUrl)
    // A crash can leave an open payment whose page nobody has seen, so a second payment does no harm.
    const customerRef = makesMandate ? (asked.customerRef ?? (await createCustomer(this.ask, tenant, request))) : null
    if (customerRef !== asked.customerRef) await askedPayments.save(asked, { customerRef })
    const made = await this.ask(molliePayment, {
      method: 'POST',
      path: 'payments',
      idempotencyKey,
      body: {
        ...paymentBody(this.name, tenant, request),
        redirectUrl: returnUrl,
        method: request.method,
        locale: localeOf[request.locale],
        sequenceType: makesMandate ? 'first' : 'oneoff',
        ...(customerRef && { customerId: customerRef }),
        ...(request.method === 'banktransfer' && { dueDate: transferDueOn(asked.askedAt) }),
      },
    })
    await askedPayments.save(asked, { ref: made.id })
    return openedAt(made, returnUrl)
  }

  async chargeMandate(tenant: Tenant, request: Asked<'chargeMandate'>) {
    const { idempotencyKey, mandateRef } = request
    const { customerId, mandateId } = customerAndMandateOf(mandateRef)
    const { asked, isFirst } = await askedPayments.begin(tenant, idempotencyKey, customerId)
    const made = isFirst ? null : await paymentMade(this.ask, tenant, asked)
    if (made) return chargeOf(made)
    if (request.isDisputed) return notCharged
    try {
      const charged = await this.ask(molliePayment, {
        method: 'POST',
        path: 'payments',
        idempotencyKey,
        body: { ...paymentBody(this.name, tenant, request), sequenceType: 'recurring', customerId, mandateId },
      })
      await askedPayments.save(asked, { ref: charged.id })
      return chargeOf(charged)
    } catch (error) {
      if (!(error instanceof MollieRefused)) throw error
      const first = await askedPayments.firstOf(asked)
      if (first) await requireSameAccount(this.name, () => getPayment(this.ask, tenant, first))
      return refusedCharge(error, asked)
    }
  }

  async fetchPayment(tenant: Tenant, ref: string) {
    return described(this, await getPayment(this.ask, tenant, ref))
  }

  async cancelPayment(tenant: Tenant, ref: string) {
    const payment = await getPayment(this.ask, tenant, ref)
    // The payment is paid or over, or its bank does not allow a cancellation.
    if (!payment.isCancelable) return described(this, payment)
    try {
      return await described(this, await this.ask(molliePayment, { method: 'DELETE', path: `payments/${idOf(ref)}` }))
    } catch (error) {
      // The payment was paid or ended between the two requests, so its new state is returned.
      if (error instanceof MollieRefused && error.status === 422)
        return described(this, await getPayment(this.ask, tenant, ref))
      throw error
    }
  }

  async refund(tenant: Tenant, { idempotencyKey, paymentRef, amount }: Asked<'refund'>): Promise<ProviderRefund> {
    await getPayment(this.ask, tenant, paymentRef)
    const path = `payments/${idOf(paymentRef)}/refunds`
    const made = await refundMade(this.ask, path, idempotencyKey)
    if (made) return refundOf(made)
    try {
      const body = {
        amount: amountOf(amount),
        description: config().seller.name,
        metadata: { refund: idempotencyKey, storefront: tenant.storefrontId },
      }
      return refundOf(await this.ask(mollieRefund, { method: 'POST', path, idempotencyKey, body }))
    } catch (error) {
      // For one hour Mollie treats two equal refunds of a payment as one, so the second refund is retried later.
      if (error instanceof MollieBusy) return { ref: idempotencyKey, status: 'pending' }
      if (!(error instanceof MollieRefused)) throw error
      log.warn({ error: error.message }, 'a refund was refused')
      return { ref: idempotencyKey, status: 'failed' }
    }
  }

  /** Mollie cancels a queued or pending refund. A refund that Mollie no longer has was canceled, since `refund` created it. */
  async cancelRefund(tenant: Tenant, { paymentRef, ref }: { paymentRef: string; ref: string }) {
    await getPayment(this.ask, tenant, paymentRef)
    if (!ref.startsWith('re_')) return { ref, status: 'pending' as const } // it is not made yet (`refund`)
    const path = `payments/${idOf(paymentRef)}/refunds/${idOf(ref)}`
    await this.ask(z.unknown(), { method: 'DELETE', path }).catch((error) => {
      if (!(error instanceof MollieRefused)) throw error // it is at the bank, or canceled already
    })
    return this.ask(mollieRefund, { method: 'GET', path }).then(refundOf, (error): ProviderRefund => {
      if (error instanceof MollieRefused && error.status === 404) return { ref, status: 'failed' }
      throw error
    })
  }

  async fetchChargeback(tenant: Tenant, ref: string) {
    const [paymentRef = '', id = ''] = ref.split('/')
    const payment = await getPayment(this.ask, tenant, paymentRef)
    const path = `payments/${idOf(paymentRef)}/chargebacks/${idOf(id)}`
    const chargeback = await this.ask(mollieChargeback, { method: 'GET', path }).catch((error) => {
      throw isGone(error) ? new Refusal('not_found') : error
    })
    return chargebackOf(chargeback, payment, new Date())
  }

  /** Mollie accepts no response to a dispute: the disputed money is already taken. */
  async answerChargeback() {}

  readNotice({ body }: { body: Uint8Array }): readonly ProviderNotice[] | null {
    const id = new URLSearchParams(Buffer.from(body).toString()).get('id') ?? ''
    return /^tr_[A-Za-z0-9]{1,60}$/.test(id) ? [{ subject: 'payment', ref: id, paymentRef: id }] : null
  }

  recentChargebacks(since?: Date) {
    return recentChargebacks(this.ask, since)
  }

  booked(since: Date) {
    return booked(this.ask, since)
  }

  async settlements(since: Date) {
    const { accessToken } = await this.account.settings()
    return accessToken === null ? null : settledSince(this.ask, since)
  }

  async missingPermissions() {
    const { accessToken } = await this.account.settings()
    return accessToken === null ? [] : missingPermissions(this.ask)
  }

  /** Null once it ended. */
  async fetchMandate(_tenant: Tenant, mandateRef: string) {
    const { customerId, mandateId } = customerAndMandateOf(mandateRef)
    const path = `customers/${idOf(customerId)}/mandates/${idOf(mandateId)}`
    const mandate = await this.ask(mollieMandate, { method: 'GET', path }).catch((error) => {
      if (!isGone(error)) throw error
      return null
    })
    return mandate && mandateOf(this.name, customerId, mandate)
  }

  async revokeMandate(_tenant: Tenant, mandateRef: string) {
    const { customerId, mandateId } = customerAndMandateOf(mandateRef)
    await deleted(this.ask, `customers/${idOf(customerId)}/mandates/${idOf(mandateId)}`)
  }

  /** Mollie's customer, and with it the mandates. Payments stay there for as long as Mollie must keep them. */
  async forgetBuyers(paymentIds: readonly string[]) {
    for (const customerRef of await askedPayments.customersOf(paymentIds))
      await deleted(this.ask, `customers/${idOf(customerRef)}`)
  }

  plainHttpOrigins() {
    const { origin } = new URL(config().mollie?.base ?? config().providerBases.mollie)
    return origin.startsWith('http:') ? [origin] : []
  }
}

async function deleted(ask: Ask, path: string): Promise<void> {
  await ask(z.unknown(), { method: 'DELETE', path }).catch((error) => {
    if (!isGone(error)) throw error
  })
}

/** Each first payment gets its own Mollie customer, so that the customer has one mandate. */
async function createCustomer(
  ask: Ask,
  tenant: Tenant,
  { idempotencyKey, orderId, buyer, locale }: Asked<'createFirstPayment'>,
) {
  const metadata = { order: orderId, storefront: tenant.storefrontId }
  const common = { ...(buyer.name && { name: buyer.name }), locale: localeOf[locale], metadata }
  const create = (email: string | null) =>
    ask(mollieCustomer, {
      method: 'POST',
      path: 'customers',
      idempotencyKey: email ? `${idempotencyKey}-customer` : `${idempotencyKey}-customer-without-email`,
      body: { ...common, ...(email && { email }) },
    })
  const isOfEmail = (error: unknown) => error instanceof MollieRefused && error.field === 'email'
  return (await withEmail(buyer.email, create, isOfEmail)).id
}

const chargeOf = (payment: MolliePayment): ProviderCharge => paymentOf(payment, { mandate: null, chargebacks: [] })

/**
 * Nothing was charged, and the same charge will be refused again: 410 is a customer whom somebody deleted there. What is wrong with neither
 * mandate nor customer is ours or the account's: the charge waits until an operator has mended it, but not longer than the service can
 * go on unpaid. Throws until then.
 */
function refusedCharge(error: MollieRefused, { askedAt }: AskedPayment): ProviderCharge {
  const isMandate = isGone(error) || error.field.startsWith('mandate') || error.field.startsWith('customer')
  if (!isMandate && Date.now() - askedAt.getTime() < mostWaitMs) {
    log.error({ error: error.message }, 'a charge was refused, for no reason of the buyer’s: it is tried again')
    throw error
  }
  log.warn({ error: error.message }, 'a charge was refused')
  const failureReason = error.status === 410 ? 'mandate_canceled' : isMandate ? 'invalid_mandate' : 'general_failure'
  return { ref: null, status: 'failed', failureReason, mandate: null, settlesBefore: null }
}

/** How long a charge is retried that Mollie refuses because of our account or request. Then the charge has failed. */
const mostWaitMs = 7 * 86_400_000

/** A bank transfer that has not arrived by then expires. */
const transferDays = 14

/** Calculated from the moment of the first request, so that a retry sends the same request. */
const transferDueOn = (askedAt: Date): string =>
  new Date(askedAt.getTime() + transferDays * 86_400_000).toISOString().slice(0, 10)

/** Our own page shows the bank details that Mollie sent. */
const openedAt = (made: MolliePayment, returnUrl: string) => ({
  ref: made.id,
  redirectUrl: transferOf(made) ? returnUrl : (pageOfPayment(made) ?? returnUrl),
})

const pageOfPayment = ({ status, _links }: MolliePayment): string | null =>
  status === 'open' ? (_links.checkout?.href ?? null) : null
