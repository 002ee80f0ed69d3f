import { afterAll, describe, expect, test } from 'vitest'
import { orderPage } from '../../admin/pages.ts'
import { listEmails } from '../../modules/emails/operations.ts'
import { createMember } from '../../modules/operators/operations.ts'
import { db } from '../../platform/db/db.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { anOperator } from '../../testing/operator.ts'
import { ask, get, ordersOf, pass, subscriptionOf, untilFirstRetry } from '../../testing/subscription-scenario.ts'
import { aboutUnits, aPurchase, declare, nobody, type Purchase, received } from '../../testing/withdrawal.ts'
import { withdrawalPage } from './load-withdrawal.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

async function bought(buyer: object, more: object): Promise<Purchase> {
  const purchase = await aPurchase(buyer, { checkout: { locale: 'en' }, ...more })
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: purchase.shop.storefrontId } })
  await createMember({
    email: `owner-${purchase.id}@example.com`.toLowerCase(),
    password: 'correct horse battery',
    role: 'owner',
    merchantId: merchant_id,
  })
  return purchase
}

const noticesTo = async (purchase: Purchase) =>
  (await received(purchase, 'withdrawal_declared')).reverse().map(({ text }) => read(text))

const laterPayments = async (purchase: Purchase, email: string) => {
  const { cookies } = await anOperator(email)
  const place = { mode: 'test', storefrontId: purchase.shop.storefrontId }
  return orderPage(place, purchase.order.id, cookies)
}

describe('a payment that is pending at a withdrawal', () => {
  test('the emails about a withdrawal mention a pending payment, and members are asked to refund the payment after it arrives', async () => {
    const purchase = await bought({ paymentMethod: 'ideal' }, { plan: { interval: 'week' } })
    await pass(purchase, 'P7D')
    await declare(purchase.token)
    expect((await subscriptionOf(purchase)).status).toBe('canceled')
    const [acknowledged] = await received(purchase, 'withdrawal_received')
    const words =
      'No further period will be charged. A payment of €119.00 was already on its way and may still be charged.'
    expect(read(acknowledged?.text ?? '')).toContain(`These subscriptions have ended: Pro. ${words}`)
    const [notice, ...more] = await noticesTo(purchase)
    expect(more).toEqual([])
    expect(notice).toContain('The refund is prepared on the page below')
    expect(notice).toContain('A payment of €119.00 was on its way at that moment.')

    await pass(purchase, 'PT1H')
    const [, renewal] = await ordersOf(purchase)
    expect(renewal.status).toBe('paid')
    const [, arrived, ...others] = await noticesTo(purchase)
    expect(others).toEqual([])
    expect(arrived).toContain(`has arrived, with invoice ${renewal.invoiceNumber}.`)
    expect(arrived).toContain(`/orders/${renewal.id}`)
    const page = await laterPayments(purchase, 'later-sepa@example.com')
    expect(page?.laterPayments).toMatchObject([{ id: renewal.id, total: { value: '119.00' } }])
    const [receipt] = (await listEmails(purchase.shop.storefrontId)).filter(({ orderId }) => orderId === renewal.id)
    expect(receipt?.kind).toBe('receipt')
    expect(receipt?.text).not.toContain('cancel')
  })

  test('the emails about a withdrawal mention no later payment if no payment is pending', async () => {
    const purchase = await bought({ paymentMethod: 'ideal' }, { plan: { interval: 'week' } })
    await pass(purchase, 'P6D')
    const before = (await ordersOf(purchase)).length
    expect(before).toBe(1)
    await declare(purchase.token)
    await pass(purchase, 'P2D')
    const [acknowledged] = await received(purchase, 'withdrawal_received')
    expect(read(acknowledged?.text ?? '')).toContain('have ended: Pro. Nothing more will be charged for them.')
    expect(await noticesTo(purchase)).toHaveLength(1)
  })
})

describe('a payment that is pending at a partial withdrawal', () => {
  const three = { item: { quantity: 3 }, plan: { interval: 'week' } }
  const renewalOf = async (purchase: Purchase) => {
    const { id, status, total, lines, invoiceNumber } = (await ordersOf(purchase)).at(-1)
    return { id, invoiceNumber, is: [status, total.value, lines[0].quantity] }
  }
  const paidForPeriod = async ({ id }: Purchase) =>
    (await db().subscriptions.findUniqueOrThrow({ where: { id } })).period_paid
  const simulate = (purchase: Purchase, orderId: string, body: object) =>
    ask(purchase, `POST /v1/test-helpers/orders/${orderId}/simulate-payment`, body)

  test('if a payment is pending during a partial withdrawal, members are asked to refund a part of the payment after it arrives', async () => {
    const purchase = await bought({ paymentMethod: 'ideal' }, three)
    await pass(purchase, 'P7D')
    await declare(purchase.token, aboutUnits([[0, '2', 3]]))
    const [notice] = await noticesTo(purchase)
    expect(notice).toContain('A payment of €357.00 was on its way at that moment, for the units withdrawn from too.')
    await pass(purchase, 'PT1H')
    const renewal = await renewalOf(purchase)
    expect(renewal.is).toEqual(['paid', '357.00', 3])
    const [, arrived, ...others] = await noticesTo(purchase)
    expect(others).toEqual([])
    expect(arrived).toContain(`The payment of €357.00 that was on its way when the buyer withdrew has arrived`)
    expect(arrived).toContain('What it took for the units withdrawn from is to be refunded from its own order')
    expect(arrived).toContain(`/orders/${renewal.id}`)
    await pass(purchase, 'P8D')
    expect((await renewalOf(purchase)).is).toEqual(['paid', '119.00', 1])
    expect(await noticesTo(purchase)).toHaveLength(2)
  })

  test('after a partial withdrawal, a failed renewal is collected only for the remaining units', async () => {
    const purchase = await bought({}, three)
    await ask(purchase, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal')
    const { id } = await renewalOf(purchase)
    await declare(purchase.token, aboutUnits([[0, '2', 3]]))
    expect((await renewalOf(purchase)).is).toEqual(['pending', '357.00', 3])
    expect(await paidForPeriod(purchase)).toBe(30_000n)
    const failed = { paymentStatus: 'failed', failureReason: 'insufficient_funds' }
    expect((await simulate(purchase, id, failed)).status).toBe(200)
    expect((await renewalOf(purchase)).is).toEqual(['pending', '119.00', 1])
    expect(await paidForPeriod(purchase)).toBe(10_000n)
    const [asked] = (await listEmails(purchase.shop.storefrontId)).filter(({ kind }) => kind === 'payment_failed')
    expect(read(asked?.text ?? '')).toContain('€119.00')

    await pass(purchase, untilFirstRetry)
    expect((await simulate(purchase, id, failed)).status).toBe(200)
    expect((await renewalOf(purchase)).is).toEqual(['pending', '119.00', 1])
    await pass(purchase, 'P5D')
    expect((await simulate(purchase, id, { paymentStatus: 'paid' })).status).toBe(200)
    expect((await renewalOf(purchase)).is).toEqual(['paid', '119.00', 1])
    expect(await noticesTo(purchase)).toHaveLength(1)
  })

  test('after a partial withdrawal, a failed renewal of an earlier period is reduced, and the paid amount of the current period does not change', async () => {
    const purchase = await bought({}, three)
    await ask(purchase, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal')
    const { id } = await renewalOf(purchase)
    await declare(purchase.token, aboutUnits([[0, '2', 3]]))
    await pass(purchase, 'P14D')
    const orders = await ordersOf(purchase)
    expect(orders.slice(1).map(({ status }: { status: string }) => status)).toEqual(['pending', 'paid'])
    expect(await paidForPeriod(purchase)).toBe(10_000n)
    const failed = { paymentStatus: 'failed', failureReason: 'insufficient_funds' }
    expect((await simulate(purchase, id, failed)).status).toBe(200)
    expect((await get(purchase.key, `/v1/orders/${id}`)).total).toEqual({ value: '119.00', currency: 'EUR' })
    expect(await paidForPeriod(purchase)).toBe(10_000n)
  })
})

describe('a payment of a subscription that ended after a partial withdrawal', () => {
  test('a renewal that begins after a partial withdrawal and is paid after the end of the subscription causes no refund notice', async () => {
    const purchase = await bought({ paymentMethod: 'ideal' }, { item: { quantity: 3 } })
    await declare(purchase.token, aboutUnits([[0, '1', 3]]))
    await pass(purchase, 'P1M')
    await ask(purchase, 'DELETE /v1/subscriptions/{id}?immediately=true')
    await pass(purchase, 'PT1H')
    const renewal = (await ordersOf(purchase)).at(-1)
    expect([renewal.status, renewal.total.value]).toEqual(['paid', '238.00'])
    expect((await subscriptionOf(purchase)).status).toBe('canceled')
    expect((await noticesTo(purchase)).filter((text) => text.includes('has arrived'))).toEqual([])
  })
})

async function promised(purchase: Purchase) {
  const [acknowledged] = await received(purchase, 'withdrawal_received')
  const text = read(acknowledged?.text ?? '')
  const says = { nothing: 'Nothing has been paid for it', returned: 'returns what you paid', kept: 'may be kept' }
  const said = Object.entries(says).flatMap(([name, words]) => (text.includes(words) ? [name] : []))
  return { said, isPaid: (await withdrawalPage(purchase.token, null, nobody))?.isPaid }
}

describe('the promised repayment', () => {
  const trial = { item: { trialDays: 7 } }
  test.each([
    ['a sale', {}, {}, 0, ['returned'], true],
    ['a sale that began immediately', { beginAtOnce: 'yes' }, {}, 0, ['returned', 'kept'], true],
    ['a trial', {}, trial, 0, ['nothing'], false],
    ['a trial that began immediately', { beginAtOnce: 'yes' }, trial, 0, ['nothing'], false],
    ['a trial that was charged before the withdrawal', { beginAtOnce: 'yes' }, trial, 8, ['returned', 'kept'], true],
  ])(
    'the withdrawal page and the email state the repayment after a withdrawal from %s',
    async (_, buyer, more, days, said, isPaid) => {
      const purchase = await bought(buyer, more)
      if (days > 0) await pass(purchase, `P${days}D`)
      await declare(purchase.token)
      expect(await promised(purchase)).toEqual({ said, isPaid })
    },
  )
})

describe('the notice to members about a refund', () => {
  test('after a withdrawal from a trial whose first period was charged, the notice to members and the order page state this payment', async () => {
    const purchase = await bought({}, { item: { trialDays: 7 } })
    await pass(purchase, 'P8D')
    const renewal = (await ordersOf(purchase)).at(-1)
    await declare(purchase.token)
    const [notice] = await noticesTo(purchase)
    expect(notice).not.toContain('prepared')
    expect(notice).toContain('What was paid is to be refunded within 14 days.')
    expect(notice).toContain('Later payments for it came to €119.00.')
    const page = await laterPayments(purchase, 'later-trial@example.com')
    expect([page?.amounts, page?.laterPayments]).toEqual([
      {},
      [
        {
          id: renewal.id,
          number: renewal.invoiceNumber,
          total: renewal.total,
          // The shop was created at 10:00:00, and the buyer paid a few seconds later.
          paidAt: expect.stringMatching(/^2027-01-11T10:00:0/),
        },
      ],
    ])
  })

  test('after a withdrawal from a trial that was not charged, the notice to members says that no refund is needed', async () => {
    const purchase = await bought({}, { item: { trialDays: 7 } })
    await declare(purchase.token)
    const [notice] = await noticesTo(purchase)
    expect(notice).toContain('Nothing has been paid for it, so there is nothing to refund.')
    expect(notice).not.toMatch(/prepared|within 14 days/)
  })
})
