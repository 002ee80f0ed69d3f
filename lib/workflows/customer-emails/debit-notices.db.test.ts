import { describe, expect, test } from 'vitest'
import { mandateReference } from '../../kernel/sepa.ts'
import { listEmails, switchKind } from '../../modules/emails/operations.ts'
import { db } from '../../platform/db/db.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { inWords, retryDay } from '../../testing/recovery-days.ts'
import { billingToken, chooseMethod, submitMethod } from '../../testing/scenarios.ts'
import {
  ask,
  clockTo,
  drainTasks,
  pass,
  type Scenario,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

const byDebit = (options: Parameters<typeof subscriptionScenario>[0] = {}) =>
  subscriptionScenario({ ...options, buyer: { paymentMethod: 'ideal' } })
const emailsOf = async ({ shop }: Scenario, kind: string) =>
  (await listEmails(shop.storefrontId)).filter((email) => email.kind === kind).reverse()
const daysOf = async (scenario: Scenario) =>
  (await emailsOf(scenario, 'debit_notice')).map(({ createdAt }) => createdAt.toISOString().slice(0, 10))
const referenceOf = async ({ shop }: Scenario) =>
  mandateReference((await db().mandates.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })).id)

describe('the notice of a direct debit', () => {
  test('two days before a renewal, an email states the amount, day, account, and mandate of the direct debit', async () => {
    const scenario = await byDebit()
    await pass(scenario, 'P2M')
    expect(await daysOf(scenario)).toEqual(['2027-01-30', '2027-02-27'])
    const [first] = await emailsOf(scenario, 'debit_notice')
    expect(read(first?.subject ?? '')).toBe('Direct debit for Pro on 1 February 2027: €100.00')
    const text = read(first?.text ?? '')
    expect(text).toMatch(
      /On 1 February 2027 we will collect €100\.00 for Pro at Lumen Software from your account NL\S+ by/,
    )
    expect(text).toContain(`Mandate reference: ${await referenceOf(scenario)}\nCreditor identifier: DE98ZZZ09999999999`)
    expect(await brokenInvariants()).toEqual({})
  })

  test('the confirmation of a purchase by direct debit states the mandate reference', async () => {
    const scenario = await byDebit()
    const [receipt] = await emailsOf(scenario, 'receipt')
    expect(receipt?.text).toContain(`Mandate reference: ${await referenceOf(scenario)}`)
    expect(receipt?.text).toContain('Creditor identifier: DE98ZZZ09999999999')
  })

  test('the direct debit notice replaces the last trial reminder if the debit is due at the end of the trial', async () => {
    const scenario = await byDebit({ item: { trialDays: 30 } })
    await pass(scenario, 'P30D')
    expect(await daysOf(scenario)).toEqual(['2027-01-29'])
    expect(await emailsOf(scenario, 'trial_ending')).toHaveLength(1)
  })

  test('a weekly direct debit is announced each week, and a daily direct debit is not announced', async () => {
    const weekly = await byDebit({ plan: { interval: 'week' } })
    await pass(weekly, 'P15D')
    expect(await daysOf(weekly)).toEqual(['2027-01-06', '2027-01-13'])
    const daily = await byDebit({ plan: { interval: 'day' } })
    await pass(daily, 'P3D')
    expect(await daysOf(daily)).toEqual([])
    const [, second] = await emailsOf(daily, 'receipt')
    expect(read(second?.text ?? '')).toMatch(/Next charge: €100\.00 on 3 January 2027\n.*\nMandate reference: M/)
  })

  test('no direct debit notice is sent for a charge on a card or for a canceled subscription', async () => {
    const card = await subscriptionScenario()
    await pass(card, 'P1M')
    expect(await daysOf(card)).toEqual([])
    const canceled = await byDebit()
    await ask(canceled, 'DELETE /v1/subscriptions/{id}')
    await pass(canceled, 'P1M')
    expect(await daysOf(canceled)).toEqual([])
  })

  test('direct debits are announced after a switch to direct debit, and not after a switch to a card', async () => {
    const scenario = await subscriptionScenario()
    await chooseMethod(await billingToken(scenario), 'ideal')
    await drainTasks()
    await pass(scenario, 'P1M')
    expect(await daysOf(scenario)).toEqual(['2027-01-30'])
    await chooseMethod(await billingToken(scenario), 'creditcard')
    await drainTasks()
    await pass(scenario, 'P1M')
    expect(await daysOf(scenario)).toEqual(['2027-01-30'])
  })

  test('if a customer chooses direct debit in the last two days before a charge, the debit is announced immediately', async () => {
    const scenario = await subscriptionScenario()
    await pass(scenario, 'P30D')
    await chooseMethod(await billingToken(scenario), 'ideal')
    await drainTasks()
    expect(await daysOf(scenario)).toEqual(['2027-01-31'])
    const [notice] = await emailsOf(scenario, 'debit_notice')
    const { mandate_id } = await db().subscriptions.findUniqueOrThrow({ where: { id: scenario.id } })
    expect(read(notice?.text ?? '')).toContain(`Mandate reference: ${mandateReference(mandate_id ?? '')}`)
    await pass(scenario, 'P7D')
    expect(await daysOf(scenario)).toEqual(['2027-01-31'])
    expect(await emailsOf(scenario, 'receipt')).toHaveLength(2)
  })

  test('if an open recovery delays a direct debit, the debit is announced only in the receipt that ends the recovery', async () => {
    const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P13D')
    await chooseMethod(await billingToken(scenario), 'ideal')
    await drainTasks()
    expect(await daysOf(scenario)).toEqual([])
    await pass(scenario, 'P1D')
    expect(await daysOf(scenario)).toEqual([])
    const [recovered] = await emailsOf(scenario, 'payment_recovered')
    expect(read(recovered?.text ?? '')).toMatch(/Next charge: €100\.00 on 1. January 2027\n.*\nMandate reference: M/)
  })
})

test('if a recovery delays later charges, its receipt announces these charges', async () => {
  const scenario = await byDebit({ plan: { interval: 'week' } })
  await declineMandate(scenario.id, 'insufficient_funds')
  await pass(scenario, 'P20D')
  expect(await daysOf(scenario)).toEqual(['2027-01-06'])
  await declineMandate(scenario.id, null)
  await pass(scenario, 'P7D')
  const [recovered] = await emailsOf(scenario, 'payment_recovered')
  expect(read(recovered?.text ?? '')).toMatch(
    /2 further periods .* are charged now: €200\.00 in all\.[\s\S]*\nMandate reference: M/,
  )
  expect(await daysOf(scenario)).toEqual(['2027-01-06', '2027-01-27'])
})

test('the notice of a yearly renewal is sent even while a charge has no outcome', async () => {
  const scenario = await byDebit({ plan: { interval: 'year' } })
  await clockTo(scenario.key, '2027-11-29T23:50:00Z')
  await declineMandate(scenario.id, 'insufficient_funds')
  const more = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', more)).status).toBe(200)
  await drainTasks()
  await clockTo(scenario.key, '2027-12-01T23:45:00Z')
  await declineMandate(scenario.id, null)
  await clockTo(scenario.key, '2027-12-03T00:00:00Z')
  expect(
    (await emailsOf(scenario, 'renewal_notice')).map(({ createdAt }) => createdAt.toISOString().slice(0, 10)),
  ).toEqual(['2027-12-02'])
})

describe('a retry of a failed direct debit', () => {
  const retried = retryDay('2027-02-01')

  test('the email about a failed debit announces the retry, and states the creditor and the mandate', async () => {
    const scenario = await byDebit()
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P1M')
    const [failed] = await emailsOf(scenario, 'payment_failed')
    const text = read(failed?.text ?? '')
    expect(text).toContain('€100.00')
    expect(text).toContain(inWords(retried))
    expect(text).toContain(`Mandate reference: ${await referenceOf(scenario)}`)
    expect(await daysOf(scenario)).toEqual(['2027-01-30'])
  })

  test('a separate email announces the retry of a debit if the storefront has disabled the email about the failed debit', async () => {
    const scenario = await byDebit()
    await switchKind(scenario.shop.storefrontId, 'payment_failed', false)
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P1M')
    expect(await daysOf(scenario)).toEqual(['2027-01-30', '2027-02-01'])
    const [, retry] = await emailsOf(scenario, 'debit_notice')
    expect(read(retry?.subject ?? '')).toBe(`Direct debit for Pro on ${inWords(retried)}: €100.00`)
  })

  test('the separate email about a retry includes all periods that are due at the retry', async () => {
    const scenario = await byDebit({ plan: { interval: 'week' } })
    await switchKind(scenario.shop.storefrontId, 'payment_failed', false)
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P12D')
    const [, first, second] = await emailsOf(scenario, 'debit_notice')
    expect(read(first?.text ?? '')).not.toContain('further period')
    expect(read(second?.text ?? '')).toContain(
      'By then a further period is due, which is charged at once as well: €100.00.',
    )
  })
})

test('if a billing update form keeps direct debit, the notice of the next debit is sent on the usual day', async () => {
  const scenario = await byDebit()
  await submitMethod(await billingToken(scenario), 'keep')
  await pass(scenario, 'P1M')
  expect(await daysOf(scenario)).toEqual(['2027-01-30'])
})
