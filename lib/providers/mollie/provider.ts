import { z } from 'zod'
import type { Locale } from '../../kernel/locale.ts'
import { formatMoney, type Money } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import type { ProviderCharge, ProviderPayment } from '../../modules/payments/provider-data.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { chargebackOf, chargebackRef, customerAndMandateOf, mandateOf, paymentOf, refundOf } from './answers.ts'
import { booked, settlements } from './books.ts'
import { ask, connectionState, MollieRefused } from './client.ts'
import { methods } from './methods.ts'
import {
  type MolliePayment,
  type MollieRefund,
  mollieChargeback,
  mollieCustomer,
  mollieMandate,
  molliePayment,
  mollieRefund,
  pageOf,
} from './shapes.ts'
import * as store from './store.ts'

/** Mollie, by its API v2. Its notices carry an id alone: the state is fetched, so that a forged one does nothing. */
export const mollie: PaymentProvider = {
  name: 'mollie',
  isPolled: true,
  methods: (_tenant, sale) => methods(sale),
  state: connectionState,

  async createFirstPayment(tenant, request) {
    const { idempotencyKey, makesMandate, returnUrl } = request
    const { asked } = await store.begin(idempotencyKey, null)
    if (asked.ref) {
      const made = await getPayment(tenant, asked.ref)
      return { ref: made.id, redirectUrl: pageOfPayment(made) ?? returnUrl }
    }
    // What a crash left behind unanswered is an open payment whose page nobody has seen: a second one does no harm.
    const customerRef = makesMandate ? (asked.customerRef ?? (await createCustomer(tenant, request))) : null
    if (customerRef !== asked.customerRef) await store.save({ ...asked, customerRef })
    const made = await ask(molliePayment, {
      method: 'POST',
      path: 'payments',
      idempotencyKey,
      body: {
        ...common(tenant, request),
        redirectUrl: returnUrl,
        method: request.method,
        locale: localeOf[request.locale],
        sequenceType: makesMandate ? 'first' : 'oneoff',
        ...(customerRef && { customerId: customerRef }),
      },
    })
    await store.save({ ...asked, customerRef, ref: made.id })
    return { ref: made.id, redirectUrl: pageOfPayment(made) ?? returnUrl }
  },

  async chargeMandate(tenant, request) {
    const { idempotencyKey, mandateRef } = request
    const { customerId, mandateId } = customerAndMandateOf(mandateRef)
    const { asked, isFirst } = await store.begin(idempotencyKey, customerId)
    const made = isFirst ? null : await paymentMade(tenant, asked)
    if (made) return chargeOf(made)
    try {
      const charged = await ask(molliePayment, {
        method: 'POST',
        path: 'payments',
        idempotencyKey,
        body: { ...common(tenant, request), sequenceType: 'recurring', customerId, mandateId },
      })
      await store.save({ ...asked, ref: charged.id })
      return chargeOf(charged)
    } catch (error) {
      if (error instanceof MollieRefused) return refusedCharge(error)
      throw error
    }
  },

  fetchPayment: async (tenant, ref) => described(await getPayment(tenant, ref)),

  async cancelPayment(tenant, ref) {
    try {
      await getPayment(tenant, ref)
      return await described(await ask(molliePayment, { method: 'DELETE', path: `payments/${idOf(ref)}` }))
    } catch (error) {
      // It is paid, over, or at a bank that lets nobody cancel it: the payment says which.
      if (error instanceof MollieRefused && error.status === 422) return described(await getPayment(tenant, ref))
      throw error
    }
  },

  async refund(tenant, { idempotencyKey, paymentRef, amount }) {
    await getPayment(tenant, paymentRef)
    const path = `payments/${idOf(paymentRef)}/refunds`
    const made = await refundMade(path, idempotencyKey)
    if (made) return refundOf(made)
    try {
      const body = {
        amount: amountOf(amount),
        description: config().seller.name,
        metadata: { refund: idempotencyKey, storefront: tenant.storefrontId },
      }
      return refundOf(await ask(mollieRefund, { method: 'POST', path, idempotencyKey, body }))
    } catch (error) {
      if (!(error instanceof MollieRefused)) throw error
      log.warn({ error: error.message }, 'a refund was refused')
      return { ref: idempotencyKey, status: 'failed' }
    }
  },

  async fetchChargeback(tenant, ref) {
    const [paymentRef = '', id = ''] = ref.split('/')
    const payment = await getPayment(tenant, paymentRef)
    const path = `payments/${idOf(paymentRef)}/chargebacks/${idOf(id)}`
    return chargebackOf(await ask(mollieChargeback, { method: 'GET', path }), payment, new Date())
  },

  /** Mollie takes no answer: what was disputed is gone, whether it is more than was paid or not. */
  answerChargeback: async () => undefined,

  readNotice({ body }) {
    const id = new URLSearchParams(Buffer.from(body).toString()).get('id') ?? ''
    return /^tr_[A-Za-z0-9]{1,60}$/.test(id) ? [{ subject: 'payment', ref: id, paymentRef: id }] : null
  },

  async recentChargebacks() {
    const { items } = await ask(pageOf('chargebacks', mollieChargeback), {
      method: 'GET',
      path: 'chargebacks?limit=50',
    })
    return items.map((each) => ({
      ref: chargebackRef(each),
      paymentRef: each.paymentId,
      isReversed: Boolean(each.reversedAt),
    }))
  },

  booked,
  settlements,

  async revokeMandate(_tenant, mandateRef) {
    const { customerId, mandateId } = customerAndMandateOf(mandateRef)
    await deleted(`customers/${idOf(customerId)}/mandates/${idOf(mandateId)}`)
  },

  /** Mollie's customer, and with it the mandates. Payments stay there for as long as Mollie must keep them. */
  async forgetBuyers(paymentIds) {
    for (const customerRef of await store.customersOf(paymentIds)) await deleted(`customers/${idOf(customerRef)}`)
  },

  plainHttpOrigins() {
    const origin = new URL(config().mollie?.base ?? 'https://api.mollie.com').origin
    return origin.startsWith('http:') ? [origin] : []
  },
}

/** Deletes what may be gone already. */
async function deleted(path: string): Promise<void> {
  await ask(z.unknown(), { method: 'DELETE', path }).catch((error) => {
    if (!(error instanceof MollieRefused && (error.status === 404 || error.status === 410))) throw error
  })
}

/** Mollie's payment, of this storefront. Refuses `not_found`. */
async function getPayment(tenant: Tenant, ref: string): Promise<MolliePayment> {
  const payment = await ask(molliePayment, { method: 'GET', path: `payments/${idOf(ref)}` })
  if (payment.metadata?.storefront !== tenant.storefrontId) throw new Refusal('not_found')
  return payment
}

/** With its mandate and its chargebacks, which are objects of their own. */
async function described(payment: MolliePayment): Promise<ProviderPayment> {
  const isPaid = payment.status === 'paid' || payment.status === 'pending'
  const mandate = isPaid && payment.sequenceType === 'first' ? await mandateMade(payment) : null
  const isDisputed = payment._links.chargebacks || Number(payment.amountChargedBack?.value ?? 0) > 0
  return paymentOf(payment, { mandate, chargebacks: isDisputed ? await chargebacksOf(payment) : [] })
}

/** The mandate that a first payment made: its customer has no other. */
async function mandateMade({ customerId, mandateId }: MolliePayment) {
  if (!customerId) return null
  const path = `customers/${idOf(customerId)}/mandates`
  if (mandateId) {
    return mandateOf(customerId, await ask(mollieMandate, { method: 'GET', path: `${path}/${idOf(mandateId)}` }))
  }
  const { items } = await ask(pageOf('mandates', mollieMandate), { method: 'GET', path: `${path}?limit=50` })
  const chargeable = items.find(({ status }) => status !== 'invalid')
  return chargeable ? mandateOf(customerId, chargeable) : null
}

async function chargebacksOf({ id }: MolliePayment): Promise<string[]> {
  const shape = pageOf('chargebacks', mollieChargeback)
  const { items } = await ask(shape, { method: 'GET', path: `payments/${idOf(id)}/chargebacks` })
  return items.map(chargebackRef)
}

/**
 * The payment that an earlier request for the same charge made, if it made one. Its answer may be lost, and Mollie
 * remembers idempotency keys for an hour only: so it is looked for among the customer's payments, from the newest to
 * those of the day before it was asked for.
 */
async function paymentMade(
  tenant: Tenant,
  { paymentId, customerRef, ref, askedAt }: store.AskedPayment,
): Promise<MolliePayment | null> {
  if (ref) return getPayment(tenant, ref)
  if (!customerRef) return null
  let path: string | null = `customers/${idOf(customerRef)}/payments?limit=250`
  while (path) {
    const page: { items: MolliePayment[]; next: string | null } = await ask(pageOf('payments', molliePayment), {
      method: 'GET',
      path,
    })
    const made = page.items.find(({ metadata }) => metadata?.payment === paymentId)
    if (made) return made
    const isOlder = page.items.some(({ createdAt }) => createdAt.getTime() < askedAt.getTime() - dayMs)
    const from: string | null = page.next === null ? null : new URL(page.next).searchParams.get('from')
    path = isOlder || !from ? null : `customers/${idOf(customerRef)}/payments?limit=250&from=${idOf(from)}`
  }
  return null
}

const dayMs = 86_400_000

async function refundMade(path: string, idempotencyKey: string): Promise<MollieRefund | null> {
  const { items } = await ask(pageOf('refunds', mollieRefund), { method: 'GET', path: `${path}?limit=250` })
  return items.find(({ metadata }) => metadata?.refund === idempotencyKey) ?? null
}

type FirstPayment = Parameters<PaymentProvider['createFirstPayment']>[1]

/** A customer of its own for each first payment: the mandate that it makes is then the only one. */
async function createCustomer(tenant: Tenant, { idempotencyKey, orderId, buyer, locale }: FirstPayment) {
  const made = await ask(mollieCustomer, {
    method: 'POST',
    path: 'customers',
    idempotencyKey: `${idempotencyKey}-customer`,
    body: {
      ...(buyer.name && { name: buyer.name }),
      ...(buyer.email && { email: buyer.email }),
      locale: localeOf[locale],
      metadata: { order: orderId, storefront: tenant.storefrontId },
    },
  })
  return made.id
}

const common = (
  tenant: Tenant,
  { idempotencyKey, orderId, amount }: Pick<FirstPayment, 'idempotencyKey' | 'orderId' | 'amount'>,
) => ({
  amount: amountOf(amount),
  description: `${config().seller.name} ${orderId}`,
  ...noticesTo(),
  metadata: { payment: idempotencyKey, order: orderId, storefront: tenant.storefrontId },
})

/** Mollie refuses an address that it cannot reach; without notices, payments are polled. */
function noticesTo(): { webhookUrl?: string } {
  const { publicBaseUrl } = config()
  const isHere = /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(new URL(publicBaseUrl).hostname)
  return isHere ? {} : { webhookUrl: `${publicBaseUrl}/api/providers/mollie` }
}

const amountOf = (money: Money) => ({ currency: money.currency, value: formatMoney(money) })

const chargeOf = (payment: MolliePayment): ProviderCharge => paymentOf(payment, { mandate: null, chargebacks: [] })

/** Nothing was charged, and the same charge will be refused again: 410 is a customer whom somebody deleted there. */
function refusedCharge(error: MollieRefused): ProviderCharge {
  log.warn({ error: error.message }, 'a charge was refused')
  const isMandate = error.status === 404 || error.field.startsWith('mandate') || error.field.startsWith('customer')
  const failureReason = error.status === 410 ? 'mandate_canceled' : isMandate ? 'invalid_mandate' : 'general_failure'
  return { ref: null, status: 'failed', failureReason, mandate: null, settlesBefore: null }
}

const pageOfPayment = ({ status, _links }: MolliePayment): string | null =>
  status === 'open' ? (_links.checkout?.href ?? null) : null

/** An id of Mollie's, for a path: nothing else gets into one. */
function idOf(id: string): string {
  if (!/^[A-Za-z]{2,10}_[A-Za-z0-9]{1,60}$/.test(id)) throw new Refusal('not_found')
  return id
}

const localeOf: Readonly<Record<Locale, string>> = {
  de: 'de_DE',
  en: 'en_GB',
  es: 'es_ES',
  fr: 'fr_FR',
  it: 'it_IT',
  nl: 'nl_NL',
  pl: 'pl_PL',
  pt: 'pt_PT',
}
