import { afterAll, describe, expect, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { billingToken, onProvidersPage, submitMethod } from '../../testing/scenarios.ts'
import { drainTasks, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { loadBillingUpdate } from '../billing-update/load-billing-update.ts'
import { submitBillingUpdate } from '../billing-update/submit-billing-update.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const visitor = { acceptLanguage: 'en', header: () => null }

const noticesOf = async ({ shop }: Scenario) =>
  (await listEmails(shop.storefrontId))
    .filter(({ kind }) => kind === 'billing_updated')
    .map(({ to, subject, text }) => ({ to, subject: read(subject), text: read(text) }))

async function send(token: string, typed: Record<string, string>) {
  const page = (await loadBillingUpdate(token, visitor)).view
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  return submitBillingUpdate(token, new URLSearchParams({ ...page.form, version: page.version, ...typed }), visitor)
}

describe('the email about a billing update', () => {
  test('a change of billing details causes one email, which does not contain the details', async () => {
    const scenario = await subscriptionScenario()
    const token = await billingToken(scenario)
    await send(token, { city: 'Potsdam' })
    await send(token, { city: 'Potsdam' })
    await drainTasks()
    const notices = await noticesOf(scenario)
    expect(notices).toMatchObject([
      {
        to: 'ada@example.com',
        subject: 'Pro: your details were changed',
        text: expect.stringContaining('The billing details of Pro at Lumen Software were changed.'),
      },
    ])
    expect(notices[0]?.text).toContain('Was it not you?')
    expect(notices[0]?.text).not.toContain('Potsdam')
  })

  test('the email about new billing details states the next charge if its amount changes', async () => {
    const scenario = await subscriptionScenario()
    const token = await billingToken(scenario)
    await send(token, { country: 'SE', taxId: '' })
    await drainTasks()
    const [notice, ...more] = await noticesOf(scenario)
    expect(more).toEqual([])
    expect(notice?.text).toContain(
      'With this, the next charge has changed: €125.00 on 1 February 2027. Until now, it was €100.00.',
    )
    const kinds = (await listEmails(scenario.shop.storefrontId)).map(({ kind }) => kind)
    expect(kinds).toEqual(['billing_updated', 'receipt'])
    await send(await billingToken(scenario), { city: 'Malmö' })
    await drainTasks()
    const [second] = await noticesOf(scenario)
    expect(second?.text).not.toContain('next charge')
  })

  test('the email about new billing details states no amount if the regular notice of the charge follows', async () => {
    const scenario = await subscriptionScenario({ plan: { interval: 'year' } })
    await send(await billingToken(scenario), { country: 'SE', taxId: '' })
    await drainTasks()
    expect((await noticesOf(scenario)).map(({ text }) => /next charge/.test(text))).toEqual([false])
  })

  test('an email confirms a new payment method after its verification', async () => {
    const scenario = await subscriptionScenario()
    const next = await submitMethod(await billingToken(scenario), 'paypal')
    await drainTasks()
    expect(await noticesOf(scenario)).toEqual([])
    await onProvidersPage(next)
    await drainTasks()
    expect(await noticesOf(scenario)).toMatchObject([{ text: expect.stringMatching(/\nPayment method: PayPal \S+\n/) }])
  })

  test('no email is sent if nothing changed or if the new payment method was declined', async () => {
    const scenario = await subscriptionScenario()
    const token = await billingToken(scenario)
    await send(token, {})
    await onProvidersPage(await submitMethod(await billingToken(scenario), 'paypal'), { outcome: 'failed' })
    await drainTasks()
    expect(await noticesOf(scenario)).toEqual([])
  })
})
