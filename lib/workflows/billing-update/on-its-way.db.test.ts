import { afterAll, describe, expect, test } from 'vitest'
import { unusedMandates } from '../../modules/payments/store.ts'
import { db } from '../../platform/db/db.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { billingToken, submitMethod } from '../../testing/scenarios.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { submitBillingUpdate } from './submit-billing-update.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

/**
 * Begins a payment that the buyer has confirmed and whose outcome the provider has not decided (Stripe: `processing`).
 */
async function onItsWay() {
  const scenario = await subscriptionScenario()
  const token = await billingToken(scenario)
  await submitMethod(token, 'paypal')
  const where = { amount: 0n, order: { verifying_subscription_id: scenario.id } }
  const { provider_ref } = await db().payments.findFirstOrThrow({ where })
  const ref = provider_ref ?? ''
  const providerSays = async (status: 'pending' | 'paid' | 'failed') => {
    const mandate = status === 'paid' ? 'valid' : null
    await db().sandbox_payments.update({ where: { ref }, data: { status, mandate } })
    await syncWithProvider(scenario.shop.scope, ref)
    await drainTasks()
  }
  await providerSays('pending')
  return { scenario, token, providerSays }
}

const methodOf = async (scenario: Scenario) => (await subscriptionOf(scenario)).mandate.method
const verificationOf = async (scenario: Scenario) => (await ordersOf(scenario))[1].status

describe('a verification without an outcome', () => {
  test.each(['ideal', 'paypal', 'keep'])(
    'a billing update form with the method %s does not replace a pending method verification',
    async (paymentMethod) => {
      const { scenario, token, providerSays } = await onItsWay()
      const form = { country: 'DE', fullName: 'Grace', taxId: 'DE1', paymentMethod, version: '0' }
      const next = await submitBillingUpdate(token, new URLSearchParams(form), { acceptLanguage: 'de' })
      expect(next).toEqual({ redirectTo: `/billing-update/${token}` })
      await providerSays('paid')
      expect([await verificationOf(scenario), await methodOf(scenario)]).toEqual(['paid', 'paypal'])
      expect((await subscriptionOf(scenario)).billingAddress.fullName).toBe('Ada')
    },
  )

  test.each(['paid', 'failed'] as const)(
    'a payment method verification accepts the outcome %s after its link has expired',
    async (outcome) => {
      const { scenario, providerSays } = await onItsWay()
      await pass(scenario, 'P1DT1H')
      expect(await verificationOf(scenario)).toBe('pending')
      await providerSays(outcome)
      await pass(scenario, 'PT2H')
      const ends = { paid: ['paid', 'paypal'], failed: ['expired', 'card'] }
      expect([await verificationOf(scenario), await methodOf(scenario)]).toEqual(ends[outcome])
    },
  )

  test('the outcome of a payment method verification does not change an ended subscription', async () => {
    const { scenario, providerSays } = await onItsWay()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
    expect(await verificationOf(scenario)).toBe('pending')
    await providerSays('paid')
    expect(await verificationOf(scenario)).toBe('paid')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', mandate: { method: 'card' } })
    const mandates = await db().mandates.findMany({ where: { customer_id: scenario.customerId } })
    expect(mandates.map(({ method }) => method).sort()).toEqual(['card', 'paypal'])
    const unused = await unusedMandates(db(), ['sandbox'], { madeBefore: new Date('2100-01-01'), take: 100 })
    expect(unused.map(({ id }) => id)).toEqual(expect.arrayContaining(mandates.map(({ id }) => id)))
  })
})
