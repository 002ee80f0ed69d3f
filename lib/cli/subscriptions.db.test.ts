import { beforeAll, describe, expect, it } from 'vitest'
import { addDuration, parseDuration } from '../kernel/calendar.ts'
import { answer, cli, isRefused } from '../testing/command-line.ts'
import { aCheckout } from '../testing/factories.ts'
import { buyerForm, germanVisitor, tokenOf } from '../testing/shop.ts'
import {
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
  untilFirstRetry,
} from '../testing/subscription-scenario.ts'
import { submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { chooseOutcome } from '../workflows/test-payment-page/submit-test-payment.ts'

it.each([
  'subscription pause --subscription subscription_nothing',
  'subscription unpause --subscription subscription_nothing',
  'mandate activate --subscription subscription_nothing',
  'mandate decline --subscription subscription_nothing --reason card_expired',
  'mandate decline --subscription subscription_nothing --reason bad_mood',
  'mandate accept --subscription subscription_nothing',
  'provider ledger --order order_nothing',
])('the command "%s" fails and prints one sentence', async (line) => {
  await isRefused(line)
})

describe('subscription commands', () => {
  let scenario: Scenario
  beforeAll(async () => {
    scenario = await subscriptionScenario()
  })

  it('`subscription pause` stops renewals, and `subscription unpause` restarts renewals', async () => {
    const of = `--subscription ${scenario.id} --json`
    expect(await answer(`subscription pause ${of}`)).toEqual({ subscriptionId: scenario.id, status: 'paused' })
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'paused', nextRenewalAt: null })
    expect((await cli(`subscription pause ${of}`)).status).toBe(1)
    expect(await answer(`subscription unpause ${of}`)).toEqual({ subscriptionId: scenario.id, status: 'active' })
    expect((await cli(`subscription unpause ${of}`)).status).toBe(1)
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active', nextRenewalAt: expect.any(String) })
  })

  it('after `mandate decline`, a renewal fails and the customer gets an email; after `mandate accept`, the retry succeeds', async () => {
    const of = `--subscription ${scenario.id} --json`
    expect(await cli(`mandate activate ${of}`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('mandate_not_pending'),
    })
    const declined = await answer(`mandate decline ${of} --reason insufficient_funds`)
    expect(declined).toEqual({
      subscriptionId: scenario.id,
      mandateId: expect.stringMatching(/^mandate_/),
      declines: 'insufficient_funds',
    })
    await pass(scenario, 'P1M')
    const order = (await ordersOf(scenario)).at(-1)
    expect(order).toMatchObject({ status: 'pending' })

    const storefront = `--storefront ${scenario.shop.storefrontId}`
    const [mail, announced, receipt, ...more] = await answer(`email list --json ${storefront}`)
    expect(more).toEqual([])
    // The renewal notice was sent at the end of the pause, and announced the next charge.
    expect(announced).toMatchObject({ kind: 'renewal_notice', createdAt: expect.stringMatching(/^2027-01-01T/) })
    expect(receipt).toMatchObject({ kind: 'receipt', orderId: expect.stringMatching(/^order_/) })
    expect(mail).toEqual({
      id: expect.stringMatching(/^mail_/),
      kind: 'payment_failed',
      testmode: true,
      locale: 'en',
      to: 'ada@example.com',
      subject: 'Your payment for Pro did not go through',
      status: 'kept',
      subscriptionId: scenario.id,
      customerId: expect.stringMatching(/^customer_/),
      orderId: null,
      originalId: null,
      lastError: null,
      outcome: 'Stored only: emails of test mode are sent only to TEST_MAIL_TO.',
      createdAt: expect.stringMatching(/^2027-02-01T/),
      sentAt: null,
      bouncedAt: null,
      isBouncedForGood: false,
      complainedAt: null,
      text: expect.stringMatching(/http:\/\/billhook\.test\/billing-update\/\S+/),
      html: expect.stringMatching(/^<!doctype html>/),
    })
    const shown = (await cli(`email list ${storefront}`)).stdout
    expect(shown).toContain(`subject: ${mail.subject}\n`)
    for (const line of mail.text.trimEnd().split('\n')) expect(shown).toContain(line)
    expect(shown).not.toContain('<!doctype')
    expect(await answer(`email list --json --mode live ${storefront}`)).toEqual([])
    expect(await answer(`email resend --json --email ${mail.id}`)).toMatchObject({
      originalId: mail.id,
      status: 'kept',
    })
    expect(await answer(`email disable --json ${storefront} --kind payment_failed`)).toMatchObject({ isSent: false })
    expect(await cli(`email disable ${storefront} --kind receipt`)).toMatchObject({ status: 1 })
    expect(await answer(`email kinds --json ${storefront}`)).toContainEqual({
      kind: 'payment_failed',
      isSent: false,
      required: null,
    })
    expect(await answer('email preview --json --kind receipt --locale de')).toMatchObject({
      subject: 'Ihr Kauf bei Lumen: Rechnung INV-2026-000042',
    })

    expect(await answer(`mandate accept ${of}`)).toEqual({ ...declined, declines: null })
    await pass(scenario, untilFirstRetry)
    const retried = addDuration(new Date('2027-02-01T00:00:00Z'), parseDuration(untilFirstRetry) ?? {})
    const dayOfRetry = new RegExp(`^${retried?.toISOString().slice(0, 10)}T`)
    const attempt = {
      ref: expect.stringMatching(/^sandbox_/),
      paymentId: expect.stringMatching(/^payment_/),
      kind: 'recurring',
      method: 'creditcard',
      amount: '100.00',
      currency: 'EUR',
    }
    expect(await answer(`provider ledger --json --order ${order.id}`)).toEqual([
      {
        ...attempt,
        status: 'failed',
        failureReason: 'insufficient_funds',
        createdAt: expect.stringMatching(/^2027-02-01T/),
      },
      { ...attempt, status: 'paid', failureReason: null, createdAt: expect.stringMatching(dayOfRetry) },
    ])
  })

  it('`mandate activate` charges an order that waited for the payment method', async () => {
    const checkout = await aCheckout(scenario.key, scenario.planId)
    const payment = await submitCheckout(
      tokenOf(checkout.links.checkoutUrl.href),
      buyerForm({ taxId: 'DE1' }),
      germanVisitor,
    )
    const outcome = new URLSearchParams({ outcome: 'paid', mandate: 'pending' })
    await chooseOutcome(tokenOf(payment?.redirectTo ?? ''), outcome)
    const [{ id }] = (await get(scenario.key, '/v1/subscriptions?limit=1')).data
    await drainTasks()
    await pass(scenario, 'P1M')
    const waiting = (await ordersOf(scenario)).find(({ status }: { status: string }) => status === 'pending')
    expect(await answer(`mandate activate --json --subscription ${id}`)).toEqual({
      subscriptionId: id,
      mandateId: expect.stringMatching(/^mandate_/),
      status: 'valid',
    })
    await drainTasks()
    expect(await get(scenario.key, `/v1/orders/${waiting.id}`)).toMatchObject({ status: 'paid' })
  })
})
