import { afterAll, describe, expect, it } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { db } from '../../platform/db/db.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { daysUntilRetry, inWords, retryDay } from '../../testing/recovery-days.ts'
import { billingToken, booksOf, chooseMethod, failNextRenewal } from '../../testing/scenarios.ts'
import { eventsOf } from '../../testing/shop.ts'
import {
  ask,
  ordersOf,
  pass,
  subscriptionOf,
  subscriptionScenario,
  untilFirstRetry,
} from '../../testing/subscription-scenario.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const statusOf = ({ status }: { status: string }) => status
const moreSeats = { quantity: 4, applyImmediately: true, invoiceImmediately: true }

it('if a hard-declined card later pays another order, the declined renewal is charged again', async () => {
  const scenario = await failNextRenewal(await subscriptionScenario(), 'authentication_failed')
  await declineMandate(scenario.id, null)
  const before = (await eventsOf(scenario.shop)).length

  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', moreSeats)).status).toBe(200)
  await pass(scenario, 'P10D')

  expect((await ordersOf(scenario)).map(statusOf)).toEqual(['paid', 'paid', 'paid'])
  expect((await subscriptionOf(scenario)).status).toBe('active')
  expect((await eventsOf(scenario.shop)).slice(before).filter((name) => name !== 'invoice.created')).toEqual([
    'subscription.updated',
    'order.paid',
    'order.paid',
  ])
})

it('a payment by the same method after a soft decline does not change the retry schedule', async () => {
  const scenario = await failNextRenewal(await subscriptionScenario(), 'insufficient_funds')
  await declineMandate(scenario.id, null)

  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', moreSeats)).status).toBe(200)
  await pass(scenario, 'PT1H')

  expect((await ordersOf(scenario)).map(statusOf).toSorted()).toEqual(['paid', 'paid', 'pending'])
})

const debited = async () => {
  const scenario = await subscriptionScenario({ buyer: { country: 'DE', taxId: '', paymentMethod: 'ideal' } })
  await failNextRenewal(scenario, 'mandate_canceled')
  await declineMandate(scenario.id, null)
  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', moreSeats)).status).toBe(200)
  return scenario
}

it('if a direct debit is paid after a hard decline of a renewal, an email announces the next charge of the renewal', async () => {
  const scenario = await debited()
  await pass(scenario, 'PT1H')
  expect((await ordersOf(scenario)).map(statusOf).toSorted()).toEqual(['paid', 'paid', 'pending'])
  const emails = await listEmails(scenario.shop.storefrontId)
  const [announced, ...more] = emails.filter(({ kind }) => kind === 'payment_failed')
  expect(more).toEqual([])
  expect(read(announced?.text ?? '')).toContain(inWords(retryDay('2027-02-02')))

  await pass(scenario, `P${daysUntilRetry() - 1}DT20H`)
  expect((await ordersOf(scenario)).map(statusOf)).toContain('pending')
  await pass(scenario, 'P1D')
  expect((await ordersOf(scenario)).map(statusOf)).toEqual(['paid', 'paid', 'paid'])
  await pass(scenario, 'P10D')
  expect((await subscriptionOf(scenario)).status).toBe('active')
})

it('after a second decline of a direct debit, no retry follows, and an email asks for a new method', async () => {
  const scenario = await debited()
  await pass(scenario, 'PT1H')
  await declineMandate(scenario.id, 'mandate_canceled')
  await pass(scenario, `P${daysUntilRetry()}DT1H`)
  expect((await listEmails(scenario.shop.storefrontId))[0]?.kind).toBe('payment_method_needed')
  await pass(scenario, 'P8D')
  expect((await subscriptionOf(scenario)).status).toBe('canceled')
})

describe('payments that do not cancel a hard decline', () => {
  const billedAhead = async (outcome?: object) => {
    const scenario = await subscriptionScenario()
    const path = 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal'
    expect((await ask(scenario, path, outcome)).status).toBe(200)
    return scenario
  }

  it('a payment that a test helper simulates does not cause a new attempt after a hard decline', async () => {
    const scenario = await billedAhead()
    await declineMandate(scenario.id, 'authentication_failed')
    await pass(scenario, 'P2M1D')
    const declined = { status: 'pending', attempts: ['failed'] }
    expect((await booksOf(scenario)).at(-1)).toEqual(declined)
    await declineMandate(scenario.id, null)
    const [, ahead] = await ordersOf(scenario)
    await ask(scenario, `POST /v1/test-helpers/orders/${ahead.id}/simulate-payment`, { paymentStatus: 'paid' })
    expect((await ordersOf(scenario)).map(statusOf)).toEqual(['paid', 'paid', 'pending'])
    expect((await booksOf(scenario)).at(-1)).toEqual(declined)
  })

  it('a hard decline that a test helper simulates is not retried after another payment succeeds', async () => {
    const scenario = await billedAhead({ paymentStatus: 'failed', failureReason: 'authentication_failed' })
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', moreSeats)).status).toBe(200)
    expect((await ordersOf(scenario)).map(statusOf)).toEqual(['paid', 'pending', 'paid'])
    expect((await booksOf(scenario))[1]?.attempts).toEqual([])
  })

  it('a paid direct debit does not cause a new attempt on a card with a hard decline', async () => {
    const scenario = await subscriptionScenario({ buyer: { paymentMethod: 'ideal' } })
    await pass(scenario, 'P30DT23H55M')
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', moreSeats)).status).toBe(200)
    await chooseMethod(await billingToken(scenario), 'creditcard')
    await declineMandate(scenario.id, 'authentication_failed')
    await pass(scenario, 'PT6M')
    const declined = { status: 'pending', attempts: ['failed'] }
    expect((await booksOf(scenario)).slice(1)).toEqual([{ status: 'pending', attempts: ['pending'] }, declined])
    await declineMandate(scenario.id, null)
    await pass(scenario, 'PT1H')
    expect((await booksOf(scenario)).slice(1)).toEqual([{ status: 'paid', attempts: ['paid'] }, declined])
  })
})

it('no email announces a debit from a new account while another debit of the same order is pending', async () => {
  const scenario = await subscriptionScenario({ buyer: { country: 'DE', taxId: '', paymentMethod: 'ideal' } })
  await failNextRenewal(scenario, 'mandate_canceled')
  await chooseMethod(await billingToken(scenario), 'directdebit')
  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', moreSeats)).status).toBe(200)
  const change = (await ordersOf(scenario)).at(-1)
  expect((await booksOf(scenario)).slice(1).map(({ attempts }) => attempts)).toEqual([
    ['failed', 'pending'],
    ['pending'],
  ])
  const where = { order_id: change.id }
  const { provider_ref } = await db().payments.findFirstOrThrow({ where })
  const ref = provider_ref ?? ''
  await db().sandbox_payments.update({ where: { ref }, data: { status: 'paid' } })
  await syncWithProvider(scenario.shop.scope, ref)
  expect((await ordersOf(scenario)).map(statusOf).toSorted()).toEqual(['paid', 'paid', 'paid', 'pending'])
  const kinds = (await listEmails(scenario.shop.storefrontId)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'payment_failed')).toEqual([])
})

it('after a hard decline of a retry, one email asks for a new method', async () => {
  const scenario = await failNextRenewal(await subscriptionScenario(), 'insufficient_funds')
  await declineMandate(scenario.id, 'account_closed')
  await pass(scenario, untilFirstRetry)
  const kinds = (await listEmails(scenario.shop.storefrontId)).map(({ kind }) => kind).reverse()
  expect(kinds).toEqual(['receipt', 'payment_failed', 'payment_method_needed'])
})
