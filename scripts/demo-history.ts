import { createCheckout } from '../lib/modules/checkouts/contract.ts'
import * as checkouts from '../lib/modules/checkouts/operations.ts'
import { registerDemoReceiver } from '../lib/modules/webhooks/operations.ts'
import type { Tenant } from '../lib/platform/clock/clock.ts'
import { tasks } from '../lib/server/jobs.ts'
import { raise } from '../lib/workflows/chargeback/operations.ts'
import { createFull } from '../lib/workflows/refund/operations.ts'
import { submitCheckout } from '../lib/workflows/sale/submit-checkout.ts'
import * as subscriptions from '../lib/workflows/subscription-change/operations.ts'
import { declineMandate } from '../lib/workflows/test-helpers/mandates.ts'
import { advanceClock } from '../lib/workflows/test-helpers/operations.ts'
import { chooseOutcome } from '../lib/workflows/test-payment-page/submit-test-payment.ts'

interface Sold {
  readonly planId: string
  readonly productId: string
}

interface Buyer {
  readonly name: string
  readonly country: string
  readonly locale: string
  readonly paymentMethod: string
  readonly seats: number
  readonly trialDays?: number
  readonly fate?: 'declined' | 'canceled' | 'refunded' | 'disputed'
}

const buyers: readonly Buyer[] = [
  { name: 'Sanne de Vries', country: 'NL', locale: 'nl', paymentMethod: 'ideal', seats: 3, fate: 'disputed' },
  { name: 'Zofia Kowalska', country: 'PL', locale: 'pl', paymentMethod: 'creditcard', seats: 1, fate: 'canceled' },
  { name: 'Jonas Weber', country: 'DE', locale: 'de', paymentMethod: 'creditcard', seats: 10, fate: 'declined' },
  { name: 'Claire Martin', country: 'FR', locale: 'fr', paymentMethod: 'creditcard', seats: 2, trialDays: 14 },
  { name: 'Bruno Costa', country: 'PT', locale: 'pt', paymentMethod: 'paypal', seats: 1, fate: 'refunded' },
]

const lastBuyer: Buyer = {
  name: 'Giulia Rossi',
  country: 'IT',
  locale: 'it',
  paymentMethod: 'creditcard',
  seats: 1,
}

/**
 * Creates a month of sales. One dispute exceeds the sold amount, so it waits for a decision by staff. The demo receiver
 * gets the event of the dispute about the last sale.
 */
export async function makeHistory(tenant: Tenant, sold: Sold): Promise<void> {
  for (const buyer of buyers) {
    const { orderId, subscriptionId } = await sell(tenant, sold, buyer)
    if (buyer.fate === 'declined') await declineMandate(subscriptionId, 'insufficient_funds')
    if (buyer.fate === 'canceled') await subscriptions.cancel(tenant, subscriptionId, { immediately: false })
    if (buyer.fate === 'refunded') {
      await createFull(tenant, orderId, { metadata: null })
      await subscriptions.cancel(tenant, subscriptionId, { immediately: true })
    }
    if (buyer.fate === 'disputed') await raise(orderId, { amount: '500.00', reason: 'fraud' })
    await pass(tenant, 'P1D')
  }
  await pass(tenant, 'P28D')
  await registerDemoReceiver(tenant)
  const { orderId } = await sell(tenant, sold, lastBuyer)
  await raise(orderId, { reason: 'product_not_received' })
}

const pass = ({ storefrontId }: Tenant, by: string) => advanceClock(storefrontId, by, tasks.embedded)

async function sell(tenant: Tenant, { planId, productId }: Sold, buyer: Buyer) {
  const { name, country, locale, paymentMethod, seats, trialDays = 0 } = buyer
  const body = createCheckout.body?.parse({
    products: [{ id: planId, quantity: seats, trialDays }, { id: productId }],
    redirectUrlSuccess: 'https://shop.example/thanks',
    redirectUrlCanceled: 'https://shop.example/basket',
    locale,
  })
  if (!body) throw new Error('a checkout is created without a body')
  const checkout = await checkouts.create(tenant, body)
  const visitor = { acceptLanguage: locale, header: () => null }
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  const form = new URLSearchParams({ email, fullName: name, country, paymentMethod })
  const next = await submitCheckout(tokenIn(checkout.links.checkoutUrl.href), form, visitor)
  await chooseOutcome(tokenIn(next?.redirectTo ?? ''), new URLSearchParams({ outcome: 'paid', mandate: 'valid' }))
  const { orderId } = await checkouts.get(tenant, checkout.id)
  const url = new URL('https://shop.example/')
  const [subscription] = (await subscriptions.list(tenant, { limit: 1 }, url)).data
  if (!orderId || !subscription) throw new Error(`the demo's sale to ${name} was not paid`)
  return { orderId, subscriptionId: subscription.id }
}

const tokenIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1)
