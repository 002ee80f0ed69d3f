import type Stripe from 'stripe'
import type { Locale } from '../../kernel/locale.ts'
import { FirstPaymentRefused, type PaymentProvider } from '../../modules/payments/provider.ts'
import type { ProviderMandate, ProviderPayment } from '../../modules/payments/provider-data.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { watched } from '../live-payments/account-problems.ts'
import { type AskedPayment, AskedPayments } from '../live-payments/asked-payments.ts'
import { withEmail } from '../live-payments/sent-email.ts'
import { included, mandateOf, paymentOf, setUpBy } from './answers.ts'
import { type Ask, type Opened, StripeRefused } from './client.ts'
import { waitingFor } from './failure.ts'
import { underKey } from './keys.ts'
import { chargebacksOf, getSession } from './lookups.ts'
import { onStatement, type StripeMethod, typeOf } from './methods.ts'
import type { ReadIntent } from './read.ts'
import { saveIntent } from './store.ts'

type FirstPayment = Parameters<PaymentProvider['createFirstPayment']>[1]

export const descriptionOf = (orderId: string): string => `${config().seller.name} ${orderId}`

export const metadataOf = (
  tenant: Tenant,
  { idempotencyKey, orderId }: { idempotencyKey: string; orderId: string },
) => ({ payment: idempotencyKey, order: orderId, storefront: tenant.storefrontId })

export const askedPayments = new AskedPayments('stripe_payments')

export const createFirstPayment = (
  { name, ask }: Opened,
  tenant: Tenant,
  request: FirstPayment,
): Promise<{ ref: string; redirectUrl: string }> =>
  watched(name, 'first payments', async () => {
    const { idempotencyKey, makesMandate, returnUrl } = request
    const { asked } = await askedPayments.begin(tenant, idempotencyKey, null)
    const made = asked.ref
      ? await getSession(ask, tenant, asked.ref)
      : await open(ask, tenant, request, makesMandate ? await customerOf(ask, tenant, asked, request) : null)
    if (!asked.ref) await askedPayments.save(asked, { ref: made.id })
    return { ref: made.id, redirectUrl: made.url ?? returnUrl }
  }).catch((error) => {
    throw error instanceof StripeRefused ? new FirstPaymentRefused(error.message) : error
  })

/**
 * A crash may leave an open session, and the retry may create a second session. This does no harm, because no buyer has
 * seen the page of the first session.
 */
function open(ask: Ask, tenant: Tenant, request: FirstPayment, customer: string | null) {
  const { idempotencyKey, buyer } = request
  const openFor = (email: string | null) => {
    const session = sessionOf(tenant, request, customer ? { customer } : email && { customer_email: email })
    const key = email ? idempotencyKey : `${idempotencyKey}-without-email`
    return post(idempotencyKey, key, (idempotencyKey) =>
      ask((api) => api.checkout.sessions.create(session, { idempotencyKey })),
    )
  }
  return withEmail(customer ? null : buyer.email, openFor, isOfEmail)
}

/** Each first payment has its own customer, so that no other person's payment method can be charged. */
async function customerOf(
  ask: Ask,
  tenant: Tenant,
  asked: AskedPayment,
  { idempotencyKey, orderId, buyer }: FirstPayment,
): Promise<string> {
  if (asked.customerRef) return asked.customerRef
  const metadata = { order: orderId, storefront: tenant.storefrontId }
  const create = (email: string | null) => {
    const customer = { ...(buyer.name && { name: buyer.name }), ...(email && { email }), metadata }
    const key = email ? `${idempotencyKey}-customer` : `${idempotencyKey}-customer-without-email`
    return post(idempotencyKey, key, (idempotencyKey) =>
      ask((api) => api.customers.create(customer, { idempotencyKey })),
    )
  }
  const { id } = await withEmail(buyer.email, create, isOfEmail)
  await askedPayments.save(asked, { customerRef: id })
  return id
}

const post = <Made>(paymentId: string, ours: string, make: (key: string) => Promise<Made>): Promise<Made> =>
  underKey({ paymentId }, ours, (key) =>
    make(key).catch((error) => {
      throw (error instanceof StripeRefused && waitingFor(error)) || error
    }),
  )

const isOfEmail = (error: unknown): boolean =>
  error instanceof StripeRefused && (error.code === 'email_invalid' || /^(?:customer_)?email$/.test(error.param ?? ''))

function sessionOf(
  tenant: Tenant,
  { amount, method, locale, returnUrl, makesMandate, ...request }: FirstPayment,
  buyer: { customer: string } | { customer_email: string } | '' | null,
): Stripe.Checkout.SessionCreateParams {
  const metadata = metadataOf(tenant, request)
  const common = {
    metadata,
    client_reference_id: request.orderId,
    locale: localeOf[locale],
    allowed_payment_method_types: [typeOf[method as StripeMethod]],
    success_url: returnUrl,
    cancel_url: returnUrl,
    // A payment method from Stripe's wallet Link cannot be charged later.
    ...(makesMandate && { wallet_options: { link: { display: 'never' as const } } }),
    ...buyer,
  }
  if (amount.minor === 0n) return { ...common, mode: 'setup', setup_intent_data: { metadata } }
  const name = descriptionOf(request.orderId)
  const price = {
    currency: amount.currency.toLowerCase(),
    unit_amount: Number(amount.minor),
    product_data: { name },
  }
  return {
    ...common,
    mode: 'payment',
    // With adaptive pricing, the buyer could pay in another currency.
    adaptive_pricing: { enabled: false },
    line_items: [{ quantity: 1, price_data: price }],
    payment_intent_data: {
      metadata,
      description: name,
      ...onStatement(typeOf[method as StripeMethod]),
      ...(makesMandate && { setup_future_usage: 'off_session' }),
    },
  }
}

/** Returns the payment of a session. Saves the id of the intent, because disputes refer to the intent. */
export async function sessionPayment(opened: Opened, tenant: Tenant, ref: string): Promise<ProviderPayment> {
  const session = await getSession(opened.ask, tenant, ref)
  const payment = included(session.payment_intent)
  const intent = payment ?? included(session.setup_intent)
  if (payment) await saveIntent(ref, payment.id)
  const isSetUp = intent?.status === 'succeeded' || intent?.status === 'processing'
  return paymentOf(
    ref,
    { session, intent },
    {
      mandate: isSetUp ? await mandateSetUpBy(opened, intent) : null,
      chargebacks: payment ? await chargebacksOf(opened.ask, payment, ref) : [],
    },
  )
}

async function mandateSetUpBy({ name, ask }: Opened, intent: ReadIntent): Promise<ProviderMandate | null> {
  const setUp = setUpBy(intent)
  if (!setUp) return null
  const { paymentMethodId, mandateId } = setUp
  const method = setUp.method ?? (await ask((api) => api.paymentMethods.retrieve(paymentMethodId)))
  const mandate = mandateId === null ? null : await ask((api) => api.mandates.retrieve(mandateId))
  return mandateOf(name, setUp, method, mandate?.payment_method_details.sepa_debit?.reference ?? null)
}

const localeOf: Readonly<Record<Locale, Stripe.Checkout.SessionCreateParams.Locale>> = {
  de: 'de',
  en: 'en',
  es: 'es',
  fr: 'fr',
  it: 'it',
  nl: 'nl',
  pl: 'pl',
  pt: 'pt',
}
