import { rejectReview } from '../modules/catalog/operations.ts'
import { db } from '../platform/db/db.ts'
import * as chargebacks from '../workflows/chargeback/operations.ts'
import { failAtBank } from '../workflows/refund/operations.ts'
import { submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { declineMandate } from '../workflows/test-helpers/mandates.ts'
import { chooseOutcome } from '../workflows/test-payment-page/submit-test-payment.ts'
import type { Recorder } from './example-calls.ts'
import * as factories from './factories.ts'
import { billingToken, chooseMethod } from './scenarios.ts'
import { germanVisitor, tokenOf } from './shop.ts'
import { drainTasks, pass } from './subscription-scenario.ts'

/** Calls each operation at least once, and causes each event. A new operation needs a call here. */
export async function tellStory(recorder: Recorder, receiverUrl: string): Promise<void> {
  await webhooks(recorder, receiverUrl)
  const sold = await catalog(recorder)
  await paymentLinks(recorder, sold)
  const { orderId, customerId } = await firstSale(recorder, sold)
  await subscriptions(recorder, sold, customerId)
  await moneyBack(recorder, orderId)
  await unpaidCheckouts(recorder, sold.productId)
  await events(recorder)
}

interface Sold {
  readonly planId: string
  readonly otherPlanId: string
  readonly productId: string
}

const euros = (value: string) => ({ value, currency: 'EUR' })

async function webhooks({ call }: Recorder, url: string): Promise<void> {
  const request = { url, secret: 'whsec_choose_your_own', enabledEvents: ['order.paid', 'subscription.updated'] }
  const { id } = await call('createWebhookEndpoint', { request })
  await call('getWebhookEndpoint', { path: { id } })
  await call('updateWebhookEndpoint', { path: { id }, request: { secret: 'whsec_another_secret' } })
  await call('pingWebhookEndpoint', { path: { id } })
  await call('listWebhookEndpoints', { query: { limit: 2 } })
  await call('deleteWebhookEndpoint', { path: { id } })
}

async function catalog({ call }: Recorder): Promise<Sold> {
  const month = { productType: 'saas', interval: 'month', intervalCount: 1, taxBehavior: 'exclusive' }
  const team = { name: 'Team', description: 'For teams, per seat', basePrice: euros('10.00'), ...month }
  const plan = await call('createSubscriptionPlan', { request: team })
  const business = { ...team, name: 'Business', basePrice: euros('25.00') }
  const other = await call('createSubscriptionPlan', { request: business })
  const book = { name: 'Handbook', description: 'As an e-book', basePrice: euros('29.99'), productType: 'ebook' }
  const product = await call('createOneOffProduct', { request: book })
  await drainTasks()
  await edit(call, ['SubscriptionPlan', plan.id])
  await edit(call, ['OneOffProduct', product.id])
  return { planId: plan.id, otherPlanId: other.id, productId: product.id }
}

async function edit(call: Recorder['call'], [kind, id]: [kind: string, id: string]): Promise<void> {
  await call(`get${kind}`, { path: { id } })
  await call(`list${kind}s`, { query: { limit: 2 } })
  await call(`update${kind}`, { path: { id }, request: { description: 'Updated' } })
  await rejectReview(id, 'The description says too little.')
  await call(`update${kind}`, { path: { id }, request: { description: 'With a better description' } })
  await drainTasks()
  await call(`archive${kind}`, { path: { id } })
  await call(`unarchive${kind}`, { path: { id } })
  await db()
    .$executeRaw`UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()) WHERE name = 'catalog.approve_in_test_mode'`
  await drainTasks()
}

async function paymentLinks({ call }: Recorder, { planId, productId }: Sold): Promise<void> {
  const items = [
    { id: planId, quantity: 3, minQuantity: 1, maxQuantity: 20, trialDays: 14 },
    { id: productId, quantity: 1 },
  ]
  const redirectUrlSuccess = 'https://shop.example/thanks?checkout={CHECKOUT_ID}'
  const request = { name: 'Newsletter, January', items, redirectUrlSuccess, metadata: { campaign: 'january' } }
  const { id } = await call('createPaymentLink', { request })
  await call('getPaymentLink', { path: { id } })
  await call('listPaymentLinks', { query: { active: true } })
  await call('updatePaymentLink', { path: { id }, request: { active: false } })
}

async function firstSale({ call, key }: Recorder, { planId, productId }: Sold) {
  const metadata = { crmId: 'A-1042', seats: 3 }
  const customer = await call('createCustomer', { request: { email: 'ada@example.com', name: 'Ada', metadata } })
  const { id: customerId } = customer
  await call('getCustomer', { path: { id: customerId } })
  await call('updateCustomer', { path: { id: customerId }, request: { name: 'Ada Lovelace' } })
  await call('listCustomers', { query: { limit: 2 } })
  const products = [{ id: planId, quantity: 3 }, { id: productId }]
  await call('previewCheckout', { request: { products, country: 'DE' } })
  const checkout = await call('createCheckout', {
    request: {
      customerId,
      products,
      redirectUrlSuccess: 'https://shop.example/thanks?checkout={CHECKOUT_ID}',
      redirectUrlCanceled: 'https://shop.example/pricing',
      metadata: { cart: 'c-77' },
    },
  })
  const { orderId } = await factories.pay(key, checkout)
  await drainTasks()
  await call('getCheckout', { path: { id: checkout.id } })
  await call('listCheckouts', { query: { customerId } })
  await call('getOrder', { path: { id: orderId } })
  await call('listOrders', { query: { customerId } })
  await call('createInvoiceUpdateLink', { path: { id: orderId } })
  await call('createPortalSession', {
    path: { id: customerId },
    request: { returnUrl: 'https://shop.example/account' },
  })
  return { orderId, customerId }
}

async function subscriptions(recorder: Recorder, { otherPlanId }: Sold, customerId: string): Promise<void> {
  const { call, key } = recorder
  const [{ id }] = (await call('listSubscriptions', { query: { customerId } })).data
  const path = { id }
  await call('getSubscription', { path })
  await call('listCustomerSubscriptions', { path: { id: customerId } })
  await call('getCustomerSubscription', { path: { id: customerId, subscriptionId: id } })
  const request = { quantity: 5, applyImmediately: true, prorate: true, invoiceImmediately: true }
  const { asOf } = await call('previewSubscriptionChange', { path, request })
  await call('changeSubscription', { path, request: { ...request, asOf } })
  await drainTasks()
  await call('changeSubscription', { path, request: { subscriptionPlanId: otherPlanId } })
  await call('createBillingUpdateLink', {
    path,
    request: { redirectUrlSuccess: 'https://shop.example/ok', redirectUrlCanceled: 'https://shop.example/account' },
  })
  await chooseMethod(await billingToken({ key, id }), 'paypal')
  await drainTasks()
  await testHelpers(recorder, id)
  await unpaidChange(recorder, id)
  await call('cancelSubscription', { path })
  await call('resumeSubscription', { path })
  await ends(recorder, id)
}

async function testHelpers({ call }: Recorder, id: string): Promise<void> {
  await call('getTestClock')
  await call('fastForwardRenewal', { path: { id }, request: { paymentStatus: 'paid' } })
  await drainTasks()
  await call('advanceTestClock', { request: { by: 'P1D' } })
  const declined = { outcome: 'failed', failureReason: 'insufficient_funds', times: 2 }
  await call('setPaymentBehavior', { path: { id }, request: declined })
  await call('setPaymentBehavior', { path: { id }, request: { outcome: 'paid' } })
}

async function unpaidChange(recorder: Recorder, id: string): Promise<void> {
  const { call } = recorder
  await declineMandate(id, 'insufficient_funds')
  const request = { quantity: 9, applyImmediately: true, invoiceImmediately: true }
  await call('changeSubscription', { path: { id }, request })
  await drainTasks()
  const [unpaid] = (await call('listOrders', { query: { subscriptionId: id, status: 'pending' } })).data
  await call('cancelRecovery', { path: { id: unpaid.id } })
  await declineMandate(id, null)
}

async function ends(recorder: Recorder, id: string): Promise<void> {
  const { call, key } = recorder
  const plan = await factories.aPlan(key)
  const others: string[] = []
  for (const email of ['grace@example.com', 'alan@example.com', 'joan@example.com']) {
    const { customerId } = await factories.pay(key, await factories.aCheckout(key, plan.id), { email })
    const [subscription] = (await call('listCustomerSubscriptions', { path: { id: customerId } })).data
    others.push(subscription.id)
  }
  const [unpaid = '', atOnce = '', pending = ''] = others
  await declineMandate(unpaid, 'card_expired')
  await call('fastForwardRenewal', { path: { id: pending } })
  await drainTasks()
  const [order] = (await call('listOrders', { query: { subscriptionId: pending, status: 'pending' } })).data
  await call('simulatePayment', { path: { id: order.id }, request: { paymentStatus: 'paid' } })
  await drainTasks()
  await call('cancelSubscription', { path: { id: atOnce }, query: { immediately: true } })
  await call('cancelSubscription', { path: { id } })
  await pass({ key }, 'P75D')
}

async function moneyBack({ call, key }: Recorder, orderId: string): Promise<void> {
  const path = { id: orderId }
  const [line] = (await call('getOrder', { path })).lines
  const items = [{ itemId: line.id, amount: euros('5.00'), description: 'Goodwill' }]
  const refund = await call('createRefund', { path, request: { items } })
  await call('getRefund', { path: { id: refund.id } })
  await call('getOrderRefund', { path: { id: orderId, refundId: refund.id } })
  await call('listOrderRefunds', { path })
  await call('listRefunds', { query: { status: 'pending' } })
  await call('cancelRefund', { path: { id: orderId, refundId: refund.id } })
  const failing = await call('createRefund', { path, request: { items } })
  await failAtBank(failing.id)
  await pass({ key }, 'PT2M')
  const { chargebackId } = await chargebacks.raise(orderId, { amount: '3.00', reason: 'product_not_received' })
  await call('getChargeback', { path: { id: chargebackId } })
  await call('getOrderChargeback', { path: { id: orderId, chargebackId } })
  await call('listChargebacks')
  await call('listOrderChargebacks', { path })
  await chargebacks.move(chargebackId, 'won')
  await call('createFullRefund', { path, request: { metadata: { ticket: 'T-2041' } } })
  await pass({ key }, 'PT2M')
}

async function unpaidCheckouts({ call, key }: Recorder, productId: string): Promise<void> {
  const opened = async () => {
    const request = factories.checkoutBody(productId)
    return tokenOf((await call('createCheckout', { request })).links.checkoutUrl.href)
  }
  const buyer = { email: 'eve@example.com', fullName: 'Eve', country: 'NL', paymentMethod: 'creditcard' }
  const next = await submitCheckout(await opened(), new URLSearchParams(buyer), germanVisitor)
  const declined = new URLSearchParams({ outcome: 'failed', reason: 'card_declined' })
  await chooseOutcome(tokenOf(next?.redirectTo ?? ''), declined)
  await submitCheckout(await opened(), new URLSearchParams({ intent: 'cancel' }), germanVisitor)
  await opened()
  await pass({ key }, 'P2D')
}

async function events({ call }: Recorder): Promise<void> {
  const { data } = await call('listWebhookEvents', { query: { eventName: 'order.paid', limit: 1 } })
  await call('getWebhookEvent', { path: { id: data[0].id } })
}
