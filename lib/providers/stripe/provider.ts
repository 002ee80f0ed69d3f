import type { PaymentProvider, ProviderNotice } from '../../modules/payments/provider.ts'
import type { ProviderPayment, ProviderRefund } from '../../modules/payments/provider-data.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import type { Account } from '../account.ts'
import { watched } from '../live-payments/account-problems.ts'
import { chargebackOf, customerAndMethodOf, refundOf } from './answers.ts'
import { booked, recentChargebacks, settlements } from './books.ts'
import { chargeMandate, chargePayment } from './charges.ts'
import { type Ask, askerOf, type Opened, StripeRefused } from './client.ts'
import { submitEvidence } from './evidence.ts'
import { waitingForRefund } from './failure.ts'
import { underKey } from './keys.ts'
import { getDispute, getSession, intentOf, isSession, refundMade } from './lookups.ts'
import { leastCharge, methods } from './methods.ts'
import { noticesIn } from './notice.ts'
import { askedPayments, createFirstPayment, sessionPayment } from './sessions.ts'
import { refsOfIntents } from './store.ts'

type Asked<Call extends 'createFirstPayment' | 'chargeMandate' | 'refund'> = Parameters<PaymentProvider[Call]>[1]

/** A first payment is a checkout session (`cs_`). A charge on a mandate is a payment intent (`pi_`). */
export class StripeProvider implements PaymentProvider, Opened {
  readonly name: string
  readonly isPolled = true
  readonly ask: Ask
  private readonly account: Account
  private readonly onPage: Opened

  constructor(account: Account) {
    this.account = account
    this.name = account.name
    this.ask = askerOf(account)
    this.onPage = { name: account.name, ask: askerOf(account, 'page') }
  }

  methods() {
    return methods(this.account)
  }

  leastCharge = leastCharge

  createFirstPayment(tenant: Tenant, request: Asked<'createFirstPayment'>) {
    return createFirstPayment(this.onPage, tenant, request)
  }

  chargeMandate(tenant: Tenant, request: Asked<'chargeMandate'>) {
    return chargeMandate(this, tenant, request)
  }

  fetchPayment(tenant: Tenant, ref: string) {
    return isSession(ref) ? sessionPayment(this.onPage, tenant, ref) : chargePayment(this.ask, tenant, ref)
  }

  async cancelPayment(tenant: Tenant, ref: string): Promise<ProviderPayment> {
    if (!isSession(ref)) return chargePayment(this.ask, tenant, ref)
    const { ask } = this.onPage
    const session = await getSession(ask, tenant, ref)
    if (session.status === 'open') {
      await ask((api) => api.checkout.sessions.expire(ref)).catch((error) => {
        if (!(error instanceof StripeRefused)) throw error
      })
    }
    const payment = await sessionPayment(this.onPage, tenant, ref)
    return payment.status === 'expired' ? { ...payment, status: 'canceled' } : payment
  }

  refund(tenant: Tenant, request: Asked<'refund'>): Promise<ProviderRefund> {
    return watched(this.name, 'refunds', () => refund(this.ask, tenant, request))
  }

  async cancelRefund(tenant: Tenant, { paymentRef, ref }: { paymentRef: string; ref: string }) {
    await intentOf(this.ask, tenant, paymentRef)
    const canceled = await this.ask((api) => api.refunds.cancel(ref)).catch((error) => {
      if (!(error instanceof StripeRefused)) throw error // Stripe cancels only refunds in the status `requires_action`.
      return null
    })
    return refundOf(canceled ?? (await this.ask((api) => api.refunds.retrieve(ref))))
  }

  async fetchChargeback(tenant: Tenant, ref: string) {
    const [paymentRef = '', id = ''] = ref.split('/')
    await intentOf(this.ask, tenant, paymentRef)
    return chargebackOf(await getDispute(this.ask, id), paymentRef)
  }

  /** For `accepted`, closes the dispute. For `rejected`, does nothing, because evidence is sent separately (`submitEvidence` or Stripe's dashboard). */
  async answerChargeback(tenant: Tenant, ref: string, answer: 'accepted' | 'rejected') {
    const [paymentRef = '', id = ''] = ref.split('/')
    await intentOf(this.ask, tenant, paymentRef)
    if (answer !== 'accepted') return
    await watched(this.name, 'accepted disputes', () =>
      this.ask((api) => api.disputes.close(id)).catch((error) => {
        if (!(error instanceof StripeRefused)) throw error
      }),
    )
  }

  async submitEvidence(tenant: Tenant, request: Parameters<typeof submitEvidence>[1]) {
    const [paymentRef = ''] = request.ref.split('/')
    await intentOf(this.ask, tenant, paymentRef)
    return watched(this.name, 'evidence', () => submitEvidence(this.ask, request))
  }

  /**
   * Reads a notice. Returns null for an unknown account, and for a request that is no notice. A notice about the intent
   * of a session refers to the session instead of the intent.
   */
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

  /**
   * Returns the settlements. Throws `AccountProblem` if a restricted key cannot read payouts, even if the key can
   * charge payments.
   */
  settlements(since: Date) {
    return settlements(this.ask, since)
  }

  /** Detaches the payment method from its customer, because Stripe cannot charge a payment method without a customer. */
  async revokeMandate(_tenant: Tenant, mandateRef: string) {
    const { paymentMethod } = customerAndMethodOf(mandateRef)
    await watched(this.name, 'revoked mandates', () =>
      this.ask((api) => api.paymentMethods.detach(paymentMethod)).catch(async (error) => {
        if (!(error instanceof StripeRefused)) throw error
        // Rethrows the error only if the payment method still has a customer, because detaching a detached payment
        // method fails.
        if ((await this.ask((api) => api.paymentMethods.retrieve(paymentMethod))).customer) throw error
      }),
    )
  }

  /** Deletes Stripe's customer with its payment methods. Stripe stores payments for as long as the law requires. */
  async forgetBuyers(paymentIds: readonly string[]) {
    for (const customerRef of await askedPayments.customersOf(paymentIds)) {
      await watched(this.name, 'deleted customers', () =>
        this.ask((api) => api.customers.del(customerRef)).catch((error) => {
          if (!(error instanceof StripeRefused)) throw error
        }),
      )
    }
  }

  plainHttpOrigins() {
    const { origin } = new URL(config().stripe?.base ?? config().providerBases.stripe)
    return origin.startsWith('http:') ? [origin] : []
  }
}

const pair = (ref: string) => ({ ref, paymentRef: ref })

async function refund(
  ask: Ask,
  tenant: Tenant,
  { idempotencyKey: ours, paymentRef, amount }: Asked<'refund'>,
): Promise<ProviderRefund> {
  const intent = await intentOf(ask, tenant, paymentRef)
  const made = await refundMade(ask, intent, ours)
  if (made) return refundOf(made)
  const metadata = { refund: ours, storefront: tenant.storefrontId }
  const params = { payment_intent: intent, amount: Number(amount.minor), metadata }
  const create = (idempotencyKey: string) =>
    ask((api) => api.refunds.create(params, { idempotencyKey })).catch((error) => {
      throw (error instanceof StripeRefused && waitingForRefund(error)) || error
    })
  try {
    return refundOf(await underKey({ paymentRef }, ours, create))
  } catch (error) {
    if (!(error instanceof StripeRefused)) throw error
    log.warn({ error: error.message }, 'a refund was refused')
    return { ref: ours, status: 'failed' }
  }
}
