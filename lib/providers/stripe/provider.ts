import { FirstPaymentRefused, type PaymentProvider, type ProviderNotice } from '../../modules/payments/provider.ts'
import type { ProviderCharge, ProviderPayment, ProviderRefund } from '../../modules/payments/provider-data.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import type { Account } from '../account.ts'
import { fitState, requireSameAccount } from '../live-payments/account-fit.ts'
import type { AskedPayment } from '../live-payments/asked-payments.ts'
import { chargebackOf, customerAndMethodOf, paymentOf, refundOf } from './answers.ts'
import { booked, recentChargebacks, settlements } from './books.ts'
import { type Ask, askerOf, connectionState, type Opened, StripeRefused } from './client.ts'
import { failureReasonOf } from './failure.ts'
import {
  chargebacksOf,
  chargeMade,
  getDispute,
  getIntent,
  getSession,
  intentOf,
  isSession,
  refundMade,
} from './lookups.ts'
import { leastCharge, methods, typeOfCharge } from './methods.ts'
import { noticesIn } from './notice.ts'
import { askedPayments, createFirstPayment, descriptionOf, metadataOf, sessionPayment } from './sessions.ts'
import { refsOfIntents, saveCharge } from './store.ts'

type Asked<Call extends 'createFirstPayment' | 'chargeMandate' | 'refund'> = Parameters<PaymentProvider[Call]>[1]

/**
 * Stripe, by its official client. A buyer pays in a checkout session (`cs_`), a mandate is charged by a payment intent (`pi_`):
 * these are the references of our payments.
 */
export class StripeProvider implements PaymentProvider, Opened {
  readonly name: string
  readonly isPolled = true
  readonly ask: Ask
  private readonly account: Account

  constructor(account: Account) {
    this.account = account
    this.name = account.name
    this.ask = askerOf(account)
  }

  methods() {
    return methods(this.account)
  }

  leastCharge = leastCharge

  state() {
    const fit = fitState(this.name)
    return fit === 'ok' ? connectionState(this.account) : fit
  }

  createFirstPayment(tenant: Tenant, request: Asked<'createFirstPayment'>) {
    return createFirstPayment(this.ask, tenant, request).catch((error) => {
      throw error instanceof StripeRefused ? new FirstPaymentRefused(error.message) : error
    })
  }

  async chargeMandate(tenant: Tenant, request: Asked<'chargeMandate'>) {
    const { idempotencyKey, mandateRef, amount, orderId } = request
    const { customer, paymentMethod } = customerAndMethodOf(mandateRef)
    const { asked, isFirst } = await askedPayments.begin(tenant, idempotencyKey, customer)
    const made = isFirst ? null : await chargeMade(this.ask, tenant, asked)
    if (made) {
      await saveCharge(asked, made.id)
      return charged(made)
    }
    const charge = {
      amount: Number(amount.minor),
      currency: amount.currency.toLowerCase(),
      customer,
      payment_method: paymentMethod,
      allowed_payment_method_types: [typeOfCharge[request.method]],
      off_session: true,
      confirm: true,
      description: descriptionOf(orderId),
      metadata: metadataOf(tenant, request),
      expand: ['latest_charge'],
    }
    try {
      const intent = await this.ask((api) => api.paymentIntents.create(charge, { idempotencyKey }))
      await saveCharge(asked, intent.id)
      return charged(intent)
    } catch (error) {
      if (!(error instanceof StripeRefused)) throw error
      const first = error.code === 'resource_missing' ? await askedPayments.firstOf(asked) : null
      if (first) await requireSameAccount(this.name, () => this.fetchPayment(tenant, first))
      return refusedCharge(error, asked)
    }
  }

  fetchPayment(tenant: Tenant, ref: string) {
    return isSession(ref) ? sessionPayment(this, tenant, ref) : chargePayment(this.ask, tenant, ref)
  }

  async cancelPayment(tenant: Tenant, ref: string): Promise<ProviderPayment> {
    if (!isSession(ref)) return chargePayment(this.ask, tenant, ref)
    const session = await getSession(this.ask, tenant, ref)
    if (session.status === 'open') {
      await this.ask((api) => api.checkout.sessions.expire(ref)).catch((error) => {
        // It was paid or is over meanwhile: the payment says which.
        if (!(error instanceof StripeRefused)) throw error
      })
    }
    const payment = await sessionPayment(this, tenant, ref)
    return payment.status === 'expired' ? { ...payment, status: 'canceled' } : payment
  }

  async refund(tenant: Tenant, { idempotencyKey, paymentRef, amount }: Asked<'refund'>): Promise<ProviderRefund> {
    const intent = await intentOf(this.ask, tenant, paymentRef)
    const made = await refundMade(this.ask, intent, idempotencyKey)
    if (made) return refundOf(made)
    const metadata = { refund: idempotencyKey, storefront: tenant.storefrontId }
    const refund = { payment_intent: intent, amount: Number(amount.minor), metadata }
    try {
      return refundOf(await this.ask((api) => api.refunds.create(refund, { idempotencyKey })))
    } catch (error) {
      if (!(error instanceof StripeRefused)) throw error
      log.warn({ error: error.message }, 'a refund was refused')
      return { ref: idempotencyKey, status: 'failed' }
    }
  }

  /** Stripe cancels what waits for the buyer (`requires_action`), and nothing else. */
  async cancelRefund(tenant: Tenant, { paymentRef, ref }: { paymentRef: string; ref: string }) {
    await intentOf(this.ask, tenant, paymentRef)
    const canceled = await this.ask((api) => api.refunds.cancel(ref)).catch((error) => {
      if (!(error instanceof StripeRefused)) throw error // it is at the bank, or canceled already
      return null
    })
    return refundOf(canceled ?? (await this.ask((api) => api.refunds.retrieve(ref))))
  }

  async fetchChargeback(tenant: Tenant, ref: string) {
    const [paymentRef = '', id = ''] = ref.split('/')
    await intentOf(this.ask, tenant, paymentRef)
    return chargebackOf(await getDispute(this.ask, id), paymentRef)
  }

  /** To accept closes the dispute as lost. To reject is to send evidence, which is done at Stripe. */
  async answerChargeback(tenant: Tenant, ref: string, answer: 'accepted' | 'rejected') {
    const [paymentRef = '', id = ''] = ref.split('/')
    await intentOf(this.ask, tenant, paymentRef)
    if (answer !== 'accepted') return
    await this.ask((api) => api.disputes.close(id)).catch((error) => {
      if (!(error instanceof StripeRefused)) throw error // it is decided already
    })
  }

  /** Null also for an account that is not there. An intent that took the money of a session is one of that session. */
  async readNotice(request: Parameters<typeof noticesIn>[0]): Promise<readonly ProviderNotice[] | null> {
    const settings = await this.account.settings().catch(() => null)
    const notices = settings && noticesIn(request, settings)
    const refs = await refsOfIntents(notices?.map(({ ref }) => ref) ?? [])
    return notices?.map((each) => ({ ...each, ...pair(refs.get(each.ref) ?? each.ref) })) ?? null
  }

  recentChargebacks(since?: Date) {
    return recentChargebacks(this.ask, since)
  }

  booked(since: Date) {
    return booked(this.ask, since)
  }

  /** A restricted key may be refused this while payments go on. */
  settlements(since: Date) {
    return settlements(askerOf(this.account, 'payouts'), since)
  }

  /** The payment method leaves its customer, and with it the permission to charge it. */
  async revokeMandate(_tenant: Tenant, mandateRef: string) {
    const { paymentMethod } = customerAndMethodOf(mandateRef)
    await this.ask((api) => api.paymentMethods.detach(paymentMethod)).catch(async (error) => {
      if (!(error instanceof StripeRefused)) throw error
      // One that is detached already cannot be detached.
      if ((await this.ask((api) => api.paymentMethods.retrieve(paymentMethod))).customer) throw error
    })
  }

  /** Stripe's customer, and with it the payment methods. Payments stay there for as long as Stripe must keep them. */
  async forgetBuyers(paymentIds: readonly string[]) {
    for (const customerRef of await askedPayments.customersOf(paymentIds)) {
      await this.ask((api) => api.customers.del(customerRef)).catch((error) => {
        if (!(error instanceof StripeRefused)) throw error // it is gone already
      })
    }
  }

  plainHttpOrigins() {
    const { origin } = new URL(config().stripe?.base ?? config().providerBases.stripe)
    return origin.startsWith('http:') ? [origin] : []
  }
}

const pair = (ref: string) => ({ ref, paymentRef: ref })

async function chargePayment(ask: Ask, tenant: Tenant, ref: string): Promise<ProviderPayment> {
  const intent = await getIntent(ask, tenant, ref)
  return paymentOf(
    ref,
    { session: null, intent },
    { mandate: null, chargebacks: await chargebacksOf(ask, intent, ref) },
  )
}

const charged = (intent: Parameters<typeof chargebacksOf>[1]): ProviderCharge =>
  paymentOf(intent.id, { session: null, intent }, { mandate: null, chargebacks: [] })

/** A card that is declined leaves an intent; of what was refused for good before there is none. */
async function refusedCharge(error: StripeRefused, asked: AskedPayment): Promise<ProviderCharge> {
  log.warn({ error: error.message }, 'a charge was refused')
  const { code, declineCode, intentId: ref } = error
  if (ref !== null) await saveCharge(asked, ref)
  const failureReason = failureReasonOf({ code, decline_code: declineCode })
  return { ref, status: 'failed', failureReason, mandate: null, settlesBefore: null }
}
