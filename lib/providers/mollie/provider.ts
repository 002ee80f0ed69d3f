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
import { described, getPayment, idOf, isGone, paymentKept, paymentMade, refundMade } from './lookups.ts'
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

/** Mollie's API v2. A webhook contains an id and no state. The state is fetched from Mollie, so a forged webhook has no effect. */
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
    // A crash may leave an open payment at Mollie, and the retry may create a second payment. This does no harm,
    // because no buyer has seen the page of the first payment.
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
    const own = isFirst ? null : await paymentMade(this.ask, tenant, asked)
    const kept = own === null && request.made !== undefined ? await paymentKept(this.ask, tenant, request.made) : null
    if (kept) await askedPayments.save(asked, { ref: kept.id })
    const made = own ?? kept
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
    if (!payment.isCancelable) return described(this, payment)
    try {
      return await described(this, await this.ask(molliePayment, { method: 'DELETE', path: `payments/${idOf(ref)}` }))
    } catch (error) {
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
      // For one hour, Mollie treats two equal refunds of a payment as one. This refund therefore stays pending and is
      // retried later.
      if (error instanceof MollieBusy) return { ref: idempotencyKey, status: 'pending' }
      if (!(error instanceof MollieRefused)) throw error
      log.warn({ error: error.message }, 'a refund was refused')
      return { ref: idempotencyKey, status: 'failed' }
    }
  }

  /** Mollie cancels queued and pending refunds. Mollie deletes canceled refunds, so a missing refund was canceled. */
  async cancelRefund(tenant: Tenant, { paymentRef, ref }: { paymentRef: string; ref: string }) {
    await getPayment(this.ask, tenant, paymentRef)
    if (!ref.startsWith('re_')) return { ref, status: 'pending' as const } // The refund was not created at Mollie yet.
    const path = `payments/${idOf(paymentRef)}/refunds/${idOf(ref)}`
    await this.ask(z.unknown(), { method: 'DELETE', path }).catch((error) => {
      if (!(error instanceof MollieRefused)) throw error // Mollie refuses to cancel a refund that is sent or canceled.
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

  /** Does nothing, because Mollie accepts no response to a dispute and deducts the money immediately. */
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

  /** Deletes Mollie's customer with its mandates. Mollie stores payments for as long as the law requires. */
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

/** Each first payment has its own customer, so that a customer has only one mandate. */
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
 * If the mandate or the customer is invalid, the charge fails. Any other refusal is our problem, so the error is thrown
 * and the charge is retried for up to seven days.
 */
function refusedCharge(error: MollieRefused, { askedAt }: AskedPayment): ProviderCharge {
  const isMandate = isGone(error) || error.field.startsWith('mandate') || error.field.startsWith('customer')
  if (!isMandate && Date.now() - askedAt.getTime() < mostWaitMs) {
    log.error({ error: error.message }, "a charge was refused for a reason outside the buyer's control and is retried")
    throw error
  }
  log.warn({ error: error.message }, 'a charge was refused')
  const failureReason = error.status === 410 ? 'mandate_canceled' : isMandate ? 'invalid_mandate' : 'general_failure'
  return { ref: null, status: 'failed', failureReason, mandate: null, settlesBefore: null }
}

const mostWaitMs = 7 * 86_400_000

const transferDays = 14

/** The due day of a bank transfer, computed from the time of the first request, so that a retry sends the same day. */
const transferDueOn = (askedAt: Date): string =>
  new Date(askedAt.getTime() + transferDays * 86_400_000).toISOString().slice(0, 10)

const openedAt = (made: MolliePayment, returnUrl: string) => ({
  ref: made.id,
  redirectUrl: transferOf(made) ? returnUrl : (pageOfPayment(made) ?? returnUrl),
})

const pageOfPayment = ({ status, _links }: MolliePayment): string | null =>
  status === 'open' ? (_links.checkout?.href ?? null) : null
