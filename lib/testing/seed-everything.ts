import { expect } from 'vitest'
import { formatMoney } from '../kernel/money.ts'
import { saveBrand } from '../modules/brand/operations.ts'
import { switchKind } from '../modules/emails/operations.ts'
import { moveHorizon, removedKinds } from '../modules/events/horizons.ts'
import { closeFigures } from '../modules/figures/operations.ts'
import { withdrawalPath } from '../modules/orders/withdrawals.ts'
import { changeAccount } from '../modules/payouts/accounts.ts'
import { exportPayouts } from '../modules/payouts/export.ts'
import { createPayout, movePayout, requestPayout } from '../modules/payouts/operations.ts'
import { setSchedule } from '../modules/payouts/schedule.ts'
import { insertAccount } from '../modules/provider-accounts/store.ts'
import { save as saveReconciliation } from '../modules/reconciliations/store.ts'
import * as unknownPayments from '../modules/unknown-payments/store.ts'
import { newId } from '../platform/crypto/identity.ts'
import { db } from '../platform/db/db.ts'
import { answerDispute, checkedEvidence } from '../workflows/chargeback/answer.ts'
import * as chargebacks from '../workflows/chargeback/operations.ts'
import { submitInvoiceUpdate } from '../workflows/invoice-update/submit-invoice-update.ts'
import { failAtBank } from '../workflows/refund/operations.ts'
import { checkoutPage } from '../workflows/sale/load-checkout.ts'
import { submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { pauseTyped, unpauseTyped } from '../workflows/subscription-change/operations.ts'
import { declineMandate, returnDebits } from '../workflows/test-helpers/mandates.ts'
import { chooseOutcome } from '../workflows/test-payment-page/submit-test-payment.ts'
import { submitWithdrawal } from '../workflows/withdrawal/submit-withdrawal.ts'
import { send } from './api.ts'
import * as factories from './factories.ts'
import { blackShape } from './pictures.ts'
import { aReceiver } from './receiver.ts'
import { billingToken, chooseMethod, submitMethod } from './scenarios.ts'
import { aShop, tokenOf } from './shop.ts'
import {
  ask,
  clockTo,
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionScenario,
} from './subscription-scenario.ts'

const visitor = { acceptLanguage: 'en', header: () => null }

/** Creates data of every kind through the API and the command line. Returns a function that closes all opened servers. */
export async function seedEverything(): Promise<{ close: () => Promise<unknown> }> {
  const receiver = await aReceiver()
  const failing = await aReceiver((response, _, n) => response.writeHead(n === 0 ? 200 : 500).end())
  // The requests in `asking` run last, because any later `drainTasks` would run the tasks that these requests leave.
  const asking = [await subscriptions(), await sales(receiver.url, failing.url)]
  await moneyBack()
  await aTaxCorrection()
  await aReconciliation()
  await aRestore()
  await anAccount()
  for (const kind of removedKinds) await moveHorizon(db(), kind, new Date('2020-01-01T00:00:00Z'))
  for (const ask of asking) await ask()
  await closedFigures()
  return { close: () => Promise.all([receiver.close(), failing.close()]) }
}

async function closedFigures(): Promise<void> {
  for (const { id } of await db().storefronts.findMany({ select: { id: true } }))
    for (const testmode of [true, false]) await closeFigures({ storefrontId: id, testmode })
}

async function change(scenario: Scenario, body: object) {
  const { asOf } = await asked(scenario, 'POST /v1/subscriptions/{id}/preview', body)
  return asked(scenario, 'PATCH /v1/subscriptions/{id}', { ...body, asOf })
}

async function asked(scenario: Scenario, line: string, body?: object) {
  const reply = await ask(scenario, line, body)
  expect(reply.status, `${line} ${JSON.stringify(reply.body)}`).toBeLessThan(300)
  return reply.body
}

async function another(scenario: Scenario, item: object = {}, buyer: object = {}): Promise<Scenario> {
  const checkout = await factories.aCheckout(scenario.key, scenario.planId, {
    products: [{ id: scenario.planId, ...item }],
  })
  const paid = await factories.pay(scenario.key, checkout, {
    country: 'NL',
    email: `${checkout.id}@example.com`,
    ...buyer,
  })
  await drainTasks()
  const { data } = await get(scenario.key, `/v1/customers/${paid.customerId}/subscriptions`)
  return { ...scenario, id: data[0].id, customerId: paid.customerId }
}

async function subscriptions(): Promise<() => Promise<void>> {
  const scenario = await subscriptionScenario({ buyer: { country: 'CA', taxId: '' } })
  const [
    scheduled,
    applied,
    parked,
    graceful,
    lapsing,
    ended,
    paused,
    unpaused,
    poor,
    poorer,
    expired,
    onTrial,
    inclusive,
  ] = [
    await another(scenario),
    await another(scenario),
    await another(scenario),
    await another(scenario),
    await another(scenario),
    await another(scenario),
    await another(scenario),
    await another(scenario),
    await another(scenario),
    await another(scenario),
    await another(scenario),
    await another(scenario, { trialDays: 90 }),
    await inclusiveLife(scenario),
  ]
  await change(scenario, { quantity: 3, applyImmediately: true, invoiceImmediately: true })
  await change(inclusive, { quantity: 5, applyImmediately: true, invoiceImmediately: true })
  await change(applied, { quantity: 2, applyImmediately: false })
  await asked(ended, 'DELETE /v1/subscriptions/{id}?immediately=true')
  await pauseTyped(unpaused.id)
  for (const { id } of [poor, poorer]) await declineMandate(id, 'insufficient_funds')
  await declineMandate(expired.id, 'card_expired')
  await returnDebits((await another(scenario, {}, { paymentMethod: 'ideal' })).id)
  await pass(scenario, 'P32D')
  await pauseTyped(paused.id)
  await unpauseTyped(unpaused.id)
  await asked(poorer, 'DELETE /v1/subscriptions/{id}?immediately=true')
  await declineMandate(poor.id, null)
  await pass(scenario, 'P3D')
  await asked(lapsing, 'DELETE /v1/subscriptions/{id}')
  await asked(onTrial, 'DELETE /v1/subscriptions/{id}')
  await asked(onTrial, 'POST /v1/subscriptions/{id}/resume')
  const broke = await another(scenario)
  await declineMandate(broke.id, 'insufficient_funds')
  await pass(scenario, 'P32D')
  await asked(graceful, 'DELETE /v1/subscriptions/{id}')
  await change(scheduled, { quantity: 4, applyImmediately: false })
  await change(parked, { quantity: 2, applyImmediately: true, invoiceImmediately: false })
  await chooseMethod(await billingToken(scheduled), 'paypal')
  await submitMethod(await billingToken(scheduled), 'creditcard')
  await asked(inclusive, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal')
  const pending = (await ordersOf(scenario)).findLast(({ status }: { status: string }) => status === 'pending')
  return async () => {
    await posted(scenario.key, `/v1/test-helpers/orders/${pending.id}/simulate-payment`, { paymentStatus: 'paid' })
    await posted(scenario.key, `/v1/test-helpers/subscriptions/${scenario.id}/fast-forward-renewal`)
  }
}

async function posted(key: string, path: string, body: object = {}): Promise<void> {
  const reply = await send(`POST ${path}`, { key, body })
  expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300)
}

async function inclusiveLife(scenario: Scenario): Promise<Scenario> {
  const { id } = await factories.aPlan(scenario.key, { basePrice: factories.price('9.99'), taxBehavior: 'inclusive' })
  return another({ ...scenario, planId: id }, { quantity: 3 })
}

async function sales(endpointUrl: string, failingUrl: string): Promise<() => Promise<void>> {
  const shop = await aShop()
  await saveBrand(shop.storefrontId, { displayName: 'Lumen & Co', accent: '#166534', logo: blackShape })
  const key = shop.testKey
  await factories.anEndpoint(key, endpointUrl, { enabledEvents: ['order.paid', 'checkout.paid', 'checkout.failed'] })
  await factories.anEndpoint(key, failingUrl, { enabledEvents: ['order.paid', 'checkout.canceled'] })
  await clockTo(key, new Date(Date.now() + 3_600_000).toISOString())
  await switchKind(shop.storefrontId, 'payment_failed', false)
  const product = await factories.aProduct(key)
  const plan = await factories.aPlan(key)
  const cart = {
    products: [
      { id: product.id, quantity: 3 },
      { id: plan.id, trialDays: 14 },
    ],
  }
  const withdrawn = await factories.pay(key, await factories.aCheckout(key, product.id, cart))
  const declaration = { name: 'Ada', email: 'ada@example.com', line: '1', intent: 'confirm' }
  await submitWithdrawal(tokenOf(withdrawalPath(withdrawn.orderId)), new URLSearchParams(declaration), visitor)
  await factories.pay(key, await factories.aCheckout(key, product.id), { country: 'US', currency: 'USD' })
  await factories.aCheckout(key, product.id)
  await factories.aPaymentLink(key, product.id)
  const gift = await factories.aPlan(key, { basePrice: factories.price('0.00') })
  await factories.pay(key, await factories.aCheckout(key, gift.id), { email: 'free@example.com' })

  const submitted = async (form: object = {}, sold = product) => {
    const checkout = await factories.aCheckout(key, sold.id)
    const link = tokenOf(checkout.links.checkoutUrl.href)
    expect(await checkoutPage(link, visitor)).toMatchObject({ state: 'open' })
    const buyer = { email: 'eve@example.com', fullName: 'Eve', country: 'NL', paymentMethod: 'creditcard', ...form }
    const next = await submitCheckout(link, new URLSearchParams(buyer), visitor)
    return { link, pay: tokenOf(next?.redirectTo ?? '') }
  }
  const { pay: declined } = await submitted()
  await chooseOutcome(declined, new URLSearchParams({ outcome: 'failed', reason: 'card_declined' }))
  const { pay: debit } = await submitted({ paymentMethod: 'directdebit' }, plan)
  await chooseOutcome(debit, new URLSearchParams({ outcome: 'paid' }))
  await submitted()
  const { link: canceled } = await submitted()
  await submitCheckout(canceled, new URLSearchParams({ intent: 'cancel' }), visitor)
  await drainTasks()
  await factories.pay(key, await factories.aCheckout(key, product.id))
  await drainTasks()
  return async () => {
    const body = { name: 'Handbook, second edition' }
    expect(await send(`PATCH /v1/one-off-products/${product.id}`, { key, body })).toMatchObject({ status: 200 })
  }
}

const answered = ({ scope }: Scenario['shop'], { chargebackId }: { chargebackId: string }) =>
  answerDispute(scope, chargebackId, checkedEvidence({ statement: 'It was used.', files: [] }))

async function moneyBack(): Promise<void> {
  const scenario = await subscriptionScenario({ buyer: { country: 'CA', taxId: '' }, item: { quantity: 3 } })
  const { key, shop } = scenario
  const product = await factories.aProduct(key)
  const sold = async (form: object = {}) => {
    const cart = { products: [{ id: product.id, quantity: 2 }, { id: scenario.planId }] }
    const checkout = await factories.aCheckout(key, product.id, cart)
    const { orderId } = await factories.pay(key, checkout, { country: 'NL', ...form })
    return get(key, `/v1/orders/${orderId}`)
  }
  const refund = async ({ id, lines }: { id: string; lines: { id: string }[] }, value: string, currency = 'EUR') => {
    const body = { items: [{ itemId: lines[0]?.id, amount: { value, currency } }] }
    const reply = await send(`POST /v1/orders/${id}/refunds`, { key, body })
    expect(reply.status, JSON.stringify(reply.body)).toBe(201)
    return reply.body
  }
  const [first] = await ordersOf(scenario)
  const orders = [
    await sold(),
    await sold(),
    await sold({ country: 'US', currency: 'USD' }),
    await sold(),
    await sold(),
  ]
  const [a, b, dollars, c, d] = orders
  await drainTasks()

  const failing = await refund(a, '7.77')
  await failAtBank(failing.id)
  const canceled = await refund(a, '1.00')
  await send(`DELETE /v1/orders/${a.id}/refunds/${canceled.id}`, { key })
  await refund(first, '33.33')
  await refund(a, '3.33')
  await refund(a, '4.44')
  await refund(dollars, '5.00', dollars.total.currency)
  await posted(key, `/v1/orders/${b.id}/refunds/full`)
  await pass(scenario, 'PT2M')

  const raise = (id: string, amount?: string) => chargebacks.raise(id, { amount, reason: 'fraud' })
  await raise(first.id, '50.00')
  await chargebacks.move((await raise(a.id)).chargebackId, 'won')
  await chargebacks.move((await raise(a.id, '20.00')).chargebackId, 'lost')
  await chargebacks.move((await raise(c.id)).chargebackId, 'accepted')
  await chargebacks.move((await raise(c.id, '1.00')).chargebackId, 'lost')
  await raise(c.id, '2.00')
  await chargebacks.move((await raise(d.id, '9999.00')).chargebackId, 'rejected')
  await chargebacks.move((await raise(d.id, '12.00')).chargebackId, 'evidence_submitted')
  await raise(d.id, '8888.00')
  await chargebacks.move((await raise(dollars.id, '7777.00')).chargebackId, 'accepted')
  await drainTasks()

  const { amount } = await db().ledger_accounts.findFirstOrThrow({
    where: { storefront_id: shop.storefrontId, currency: 'EUR', account: 'merchant_balance' },
  })
  await createPayout(shop.scope, { amount: formatMoney({ minor: -amount, currency: 'EUR' }) })
  const last = await sold()
  await drainTasks()
  await answered(shop, await raise(last.id, '1.00'))
  await payouts(scenario)
  await refund(last, '20.00')
  await refund(first, '90.00')
  await pass(scenario, 'PT2M')
  await refund(first, '1.00')
}

async function aTaxCorrection(): Promise<void> {
  const { testKey: key } = await aShop()
  const { id } = await factories.aProduct(key, { basePrice: factories.price('100.00') })
  const { orderId } = await factories.pay(key, await factories.aCheckout(key, id), { country: 'DE' })
  await drainTasks()
  const { body } = await send(`POST /v1/orders/${orderId}/invoice-update-link`, { key })
  await submitInvoiceUpdate(tokenOf(body.href), new URLSearchParams({ fullName: 'Ada', taxId: 'DE1' }))
  await drainTasks()
}

async function payouts(scenario: Scenario): Promise<void> {
  const tenant = scenario.shop.scope
  await createPayout(tenant, { amount: '40.00' })
  await changeAccount(tenant, { holder: 'Lumen Software B.V.', iban: 'NL91ABNA0417164300' })
  await pass(scenario, 'P3D')
  const ask = async (amount: string) => (await requestPayout(tenant, { amount })).payoutId
  const [first, second] = [await ask('1.00'), await ask('2.00')]
  await exportPayouts(tenant)
  for (const [id, move] of [
    [first, 'confirm'],
    [second, 'return'],
  ] as const)
    await movePayout(tenant, id, move)
  await movePayout(tenant, await ask('3.00'), 'cancel')
  await ask('0.50')
  await exportPayouts(tenant)
  await ask('0.25')
}

async function anAccount(): Promise<void> {
  const [{ storefrontId }, createdAt] = [await aShop(), new Date()]
  const account = { id: newId('provider_account_', createdAt), storefrontId, provider: 'mollie', createdAt } as const
  const credentials = { apiKey: 'live_seedseedseed', accessToken: null, webhookSecret: null }
  await setSchedule({ storefrontId, testmode: true }, 'month-1')
  await insertAccount(db(), { ...account, endedAt: null }, credentials)
}

/** Records payments that the database lacks after a restore. A charge uses the first of these payments. */
async function aRestore(): Promise<void> {
  const where = { mandate_id: { not: null }, status: 'paid', provider: 'sandbox' } as const
  const charge = await db().payments.findFirstOrThrow({ where, orderBy: { id: 'desc' } })
  const at = charge.created_at
  const lost = {
    provider: charge.provider,
    ref: charge.provider_ref ?? '',
    storefrontId: charge.storefront_id,
    paymentId: newId('payment_', at),
    mandateRef: null,
    orderId: null,
    amount: { minor: charge.amount, currency: charge.currency },
    status: 'paid',
    createdAt: at,
    moneyReturned: false,
  } as const
  await unknownPayments.record(db(), lost, at)
  await unknownPayments.use(db(), lost, charge.id)
  await unknownPayments.record(db(), { ...lost, provider: 'mollie', ref: 'tr_pending', status: 'pending' }, at)
  await unknownPayments.record(db(), { ...lost, provider: 'mollie', ref: 'tr_released', moneyReturned: true }, at)
  await unknownPayments.markReleased(db(), 'mollie', 'tr_released', at)
}

async function aReconciliation(): Promise<void> {
  const difference = {
    kind: 'refund_unknown',
    ref: 're_1',
    id: null,
    atProvider: '1.00 EUR, sent',
    ours: null,
  } as const
  await saveReconciliation(db(), {
    provider: 'mollie',
    payments: 2,
    refunds: 1,
    chargebacks: 0,
    settlements: null,
    differences: [difference],
    finishedAt: new Date(),
  })
}
