import { describe, expect, test } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { read } from '../../testing/email-text.ts'
import { portalCookies, portalVisitor } from '../../testing/portal.ts'
import { inWords, retryDay, writtenOffDay } from '../../testing/recovery-days.ts'
import { eventsOf } from '../../testing/shop.ts'
import {
  ask,
  drainTasks,
  get,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { cancelPage, subscriptionPage } from '../portal/load-portal.ts'
import { declineMandate } from '../test-helpers/mandates.ts'

const endsOf = async ({ shop }: Scenario) =>
  (await listEmails(shop.storefrontId))
    .filter(({ kind }) => kind !== 'receipt')
    .reverse()
    .map(({ kind, createdAt, text }) => ({ kind, on: createdAt.toISOString().slice(0, 10), text: read(text) }))

test('a cancellation causes one email with the end date, and the end causes another email', async () => {
  const scenario = await subscriptionScenario()
  await pass(scenario, 'P5D')
  for (let time = 0; time < 2; time++) await ask(scenario, 'DELETE /v1/subscriptions/{id}')
  await pass(scenario, 'P30D')
  expect(await endsOf(scenario)).toEqual([
    {
      kind: 'cancellation',
      on: '2027-01-06',
      text: expect.stringContaining('\nEnds on: 1 February 2027 at 00:00 UTC\n'),
    },
    { kind: 'subscription_ended', on: '2027-02-01', text: expect.stringContaining('Nothing more will be charged.') },
  ])
})

describe('canceling with an unpaid renewal', () => {
  const pageOf = async (scenario: Scenario) => {
    const visitor = portalVisitor(await portalCookies(scenario))
    const [cancel, status] = [await cancelPage(scenario.id, visitor), await subscriptionPage(scenario.id, visitor)]
    return (cancel ?? status)?.subscription.unpaid
  }
  const total = { value: '100.00', currency: 'EUR' }

  test('the cancellation email states the earlier end that applies if the renewal stays unpaid', async () => {
    const scenario = await subscriptionScenario()
    await declineMandate(scenario.id, 'card_expired')
    await pass(scenario, 'P1M')
    const end = writtenOffDay('2027-02-01', 'hard')
    const unpaid = { total, endsEarlier: { at: expect.stringContaining(`${end}T00:00`) }, isOfChange: false }
    expect(await pageOf(scenario)).toEqual(unpaid)
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    expect(await pageOf(scenario)).toEqual(unpaid)
    expect((await endsOf(scenario)).at(-1)?.text).toContain(
      `no further period is charged.\n\nA payment of €100.00 is still open and remains due. If it does not arrive, the subscription ends on ${inWords(end)}.`,
    )
    await pass(scenario, 'P8D')
    expect((await subscriptionOf(scenario)).endedAt).toContain(`${end}T00:00`)
  })

  test('the portal states the next attempt, the next charge, and when the subscription ends if nothing is paid', async () => {
    const dueOf = async (reason: 'insufficient_funds' | 'card_expired', interval: 'month' | 'week' = 'month') => {
      const scenario = await subscriptionScenario({ plan: { interval } })
      await declineMandate(scenario.id, reason)
      await pass(scenario, interval === 'month' ? 'P1M' : 'P7D')
      const page = await subscriptionPage(scenario.id, portalVisitor(await portalCookies(scenario)))
      const { due, unpaid, nextCharge } = page?.subscription ?? {}
      const onDay = (moment: string | null | undefined) => moment?.slice(0, 10) ?? null
      return [due?.chargedAgainAt, unpaid?.endsEarlier?.at, nextCharge?.at].map(onDay)
    }
    const dueFrom = (failedOn: string, nextOn: string) => [
      [retryDay(failedOn), writtenOffDay(failedOn, 'soft'), nextOn],
      [null, writtenOffDay(failedOn, 'hard'), nextOn],
    ]
    expect([await dueOf('insufficient_funds'), await dueOf('card_expired')]).toEqual(
      dueFrom('2027-02-01', '2027-03-01'),
    )
    // The renewal is unpaid. Its recovery lasts longer than the billed week, and the subscription ends with the recovery.
    const ofWeeks = [await dueOf('insufficient_funds', 'week'), await dueOf('card_expired', 'week')]
    expect(ofWeeks).toEqual(dueFrom('2027-01-08', '2027-01-15'))
  })

  test('the cancellation email does not say that the subscription ends early if the last retry is after the paid time', async () => {
    const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P7D')
    expect(await pageOf(scenario)).toEqual({ total, endsEarlier: null, isOfChange: false })
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    expect(await pageOf(scenario)).toEqual({ total, endsEarlier: null, isOfChange: false })
    const { text } = (await endsOf(scenario)).at(-1) ?? {}
    expect(text).toContain('remains due.\n')
    expect(text).not.toContain('nothing more is charged')
  })

  test('a cancellation after the paid time ends the subscription immediately and stops collection', async () => {
    const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P16D')
    const page = await cancelPage(scenario.id, portalVisitor(await portalCookies(scenario)))
    expect(page?.endsAt).toBeNull()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    expect(await subscriptionOf(scenario)).toMatchObject({
      status: 'canceled',
      endedAt: expect.stringMatching(/^2027-01-17/),
    })
    const { data } = await get(scenario.key, '/v1/orders')
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['canceled', 'paid'])
    const emails = (await endsOf(scenario)).filter(({ kind }) => kind !== 'payment_failed')
    expect(emails).toMatchObject([
      { kind: 'subscription_ended', text: expect.stringContaining('Nothing more will be charged.') },
    ])
    expect((await eventsOf(scenario.shop)).filter((name) => /cancel/.test(name))).toEqual([
      'order.canceled',
      'subscription.canceled_immediately',
    ])
  })

  test('the cancellation email says that an unpaid change will be undone, and undoing the change does not end the subscription earlier', async () => {
    const scenario = await subscriptionScenario()
    await declineMandate(scenario.id, 'card_expired')
    const more = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
    expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', more)).status).toBe(200)
    const unpaid = { total: { value: '100.00', currency: 'EUR' }, endsEarlier: null, isOfChange: true }
    expect(await pageOf(scenario)).toEqual(unpaid)
    await drainTasks()
    expect(await pageOf(scenario)).toEqual(unpaid)
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    const { text } = (await endsOf(scenario)).at(-1) ?? {}
    expect(text).toContain('If the payment does not arrive in the end, your change is undone.')
    expect(text).not.toContain('may end earlier')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'on_grace_period', quantity: 2 })
    await pass(scenario, 'P8D')
    expect(await pageOf(scenario)).toBeNull()
    const { status, quantity, endedAt, renewedUntil } = await subscriptionOf(scenario)
    expect({ status, quantity, endedAt }).toEqual({ status: 'on_grace_period', quantity: 1, endedAt: null })
    expect(renewedUntil).toContain('2027-02-01T00:00')
    const { data } = await get(scenario.key, '/v1/orders')
    expect(data.map((order: { status: string }) => order.status)).toEqual(['canceled', 'paid'])
  })

  test('while a charge has no outcome, the cancellation email says without a date that the subscription may end earlier', async () => {
    const scenario = await subscriptionScenario({ buyer: { paymentMethod: 'ideal' } })
    expect(await pageOf(scenario)).toBeNull()
    await pass(scenario, 'P1M')
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    expect(await pageOf(scenario)).toEqual({ total, endsEarlier: { at: null }, isOfChange: false })
    expect((await endsOf(scenario)).at(-1)?.text).toContain('If it does not arrive, the subscription may end earlier.')
    await pass(scenario, 'PT1H')
    expect(await pageOf(scenario)).toBeNull()
  })
})

test('the email about the end of a subscription mentions a pending charge', async () => {
  const scenario = await subscriptionScenario({ buyer: { paymentMethod: 'ideal' } })
  await pass(scenario, 'P1M')
  await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
  const { kind, text } = (await endsOf(scenario)).at(-1) ?? {}
  expect(kind).toBe('subscription_ended')
  expect(text).toContain(
    'No further period will be charged. A payment of €100.00 was already on its way and may still be charged.',
  )
  expect(text).not.toContain('Nothing more')
})

test('an immediate end of a subscription is confirmed by email without delay', async () => {
  const scenario = await subscriptionScenario()
  await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
  await pass(scenario, 'P40D')
  expect((await endsOf(scenario)).map(({ kind, on }) => [kind, on])).toEqual([['subscription_ended', '2027-01-01']])
})

test('an email about a resumed subscription states the next charge', async () => {
  const scenario = await subscriptionScenario()
  await ask(scenario, 'DELETE /v1/subscriptions/{id}')
  await ask(scenario, 'POST /v1/subscriptions/{id}/resume')
  await pass(scenario, 'P1D')
  expect((await endsOf(scenario)).map(({ kind }) => kind)).toEqual(['cancellation', 'renewal_notice'])
})
