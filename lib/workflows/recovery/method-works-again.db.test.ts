import { afterEach, expect, it } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { daysUntilRetry, inWords, retryDay } from '../../testing/recovery-days.ts'
import { failNextRenewal } from '../../testing/scenarios.ts'
import { eventsOf } from '../../testing/shop.ts'
import { ask, ordersOf, pass, subscriptionOf, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const statusOf = ({ status }: { status: string }) => status
const moreSeats = { quantity: 4, applyImmediately: true, invoiceImmediately: true }

it('a change that the declined card pays has the renewal charged too, and the subscription continues', async () => {
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

it('a soft decline keeps its own schedule of charges', async () => {
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

it('a direct debit is announced before what was declined for good is charged once more, after the wait of a first retry', async () => {
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

it('a direct debit that is declined for good again asks for a new method, and is not charged again', async () => {
  const scenario = await debited()
  await pass(scenario, 'PT1H')
  await declineMandate(scenario.id, 'mandate_canceled')
  await pass(scenario, `P${daysUntilRetry()}DT1H`)
  expect((await listEmails(scenario.shop.storefrontId))[0]?.kind).toBe('payment_method_needed')
  await pass(scenario, 'P8D')
  expect((await subscriptionOf(scenario)).status).toBe('canceled')
})
