import { afterEach, describe, expect, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { billingToken, onProvidersPage, submitMethod } from '../../testing/scenarios.ts'
import { drainTasks, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { billingUpdatePage, submitBillingUpdate } from '../billing-update/hosted.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const visitor = { acceptLanguage: 'en', header: () => null }

const noticesOf = async ({ shop }: Scenario) =>
  (await listEmails(shop.storefrontId))
    .filter(({ kind }) => kind === 'billing_updated')
    .map(({ to, subject, text }) => ({ to, subject: read(subject), text: read(text) }))

/** Sends the form of a link as its page shows it, with some fields changed. */
async function send(token: string, typed: Record<string, string>) {
  const page = await billingUpdatePage(token, visitor)
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  return submitBillingUpdate(token, new URLSearchParams({ ...page.form, version: page.version, ...typed }), visitor)
}

describe('the customer is emailed', () => {
  test('that billing details were changed, once, and not what they are', async () => {
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

  test('that the payment method was changed, when it is verified', async () => {
    const scenario = await subscriptionScenario()
    const next = await submitMethod(await billingToken(scenario), 'paypal')
    await drainTasks()
    expect(await noticesOf(scenario)).toEqual([])
    await onProvidersPage(next)
    await drainTasks()
    expect(await noticesOf(scenario)).toMatchObject([{ text: expect.stringMatching(/\nPayment method: PayPal \S+\n/) }])
  })

  test('of nothing where nothing was changed, or the new method was declined', async () => {
    const scenario = await subscriptionScenario()
    const token = await billingToken(scenario)
    await send(token, {})
    await onProvidersPage(await submitMethod(await billingToken(scenario), 'paypal'), { outcome: 'failed' })
    await drainTasks()
    expect(await noticesOf(scenario)).toEqual([])
  })
})
