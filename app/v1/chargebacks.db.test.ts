import { expect, test, vi } from 'vitest'
import { createPayout } from '@/lib/modules/payouts/operations.ts'
import { db } from '@/lib/platform/db/db.ts'
import { sandbox } from '@/lib/providers/sandbox/provider.ts'
import { send } from '@/lib/testing/api.ts'
import { price } from '@/lib/testing/factories.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { aSale, balanceOf, eventsAbout, type Sale } from '@/lib/testing/money-back.ts'
import { ask, drainTasks, get, ordersOf, pass, subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'
import { move, raise } from '@/lib/workflows/chargeback/operations.ts'
import { reconcile } from '@/lib/workflows/reconciliation/reconcile.ts'

const orderOf = ({ key, orderId }: Sale) => get(key, `/v1/orders/${orderId}`)
const chargebackOf = ({ key }: Sale, { chargebackId }: { chargebackId: string }) =>
  get(key, `/v1/chargebacks/${chargebackId}`)
const dispute = (sale: Sale, amount?: string) => raise(sale.orderId, { amount, reason: 'fraud' })
const refundAll = (sale: Sale) => send(`POST /v1/orders/${sale.orderId}/refunds/full`, { key: sale.key })

test('a new chargeback reduces the balance, and a lost chargeback creates a credit note', async () => {
  const sale = await aSale({ price: '100.00' })
  const raised = await raise(sale.orderId, { reason: 'product_not_received' })
  const received = await chargebackOf(sale, raised)
  expect(received).toEqual({
    id: raised.chargebackId,
    resource: 'chargeback',
    testmode: true,
    customerId: sale.customerId,
    status: 'pending',
    amount: price('121.00'),
    settlementAmount: price('136.00'),
    total: price('121.00'),
    subtotal: price('100.00'),
    taxSummary: [{ taxRate: { name: 'VAT', percentage: 21, taxablePercentage: 100 }, amount: price('21.00') }],
    reason: 'product_not_received',
    originalOrderId: sale.orderId,
    orderId: null,
    createdAt: expect.stringMatching(/Z$/),
    links: {
      self: { href: expect.stringContaining(`/v1/chargebacks/${raised.chargebackId}`), type: 'application/json' },
      originalOrder: { href: expect.stringContaining(`/v1/orders/${sale.orderId}`), type: 'application/json' },
      order: null,
    },
  })
  expect(raised.chargebackId).toMatch(/^chargeback_[0-9A-Za-z]{22}$/)
  expect(await orderOf(sale)).toMatchObject({ reversedSubtotal: price('100.00'), refundableSubtotal: price('0.00') })
  // The merchant had 94.50. The chargeback (121.00) and its fee (15.00) turn this into a debt of 41.50. The tax stays payable until a credit note is issued.
  expect(await balanceOf(sale)).toEqual({
    merchant_balance: '41.50',
    platform_fee: '-5.50',
    tax_payable: '-21.00',
    provider_clearing: '121.00',
    chargebacks: '-121.00',
    provider_fees: '-15.00',
  })

  await move(raised.chargebackId, 'evidence_submitted')
  expect(await refundAll(sale)).toMatchObject({ status: 422, body: { errors: { orderId: [expect.any(String)] } } })
  await move(raised.chargebackId, 'lost')
  const lost = await chargebackOf(sale, raised)
  expect(lost).toMatchObject({ status: 'lost', orderId: expect.stringMatching(/^order_/), links: { order: {} } })
  expect(await get(sale.key, `/v1/orders/${lost.orderId}`)).toMatchObject({
    status: 'paid',
    invoiceNumber: 'TEST-CN-2026-000001',
    creditedOrderId: sale.orderId,
    total: price('121.00'),
    refundableSubtotal: price('0.00'),
    lines: [{ description: 'Handbook (Chargeback)', productType: null }],
  })
  expect(await balanceOf(sale)).toEqual({ merchant_balance: '20.50', platform_fee: '-5.50', provider_fees: '-15.00' })
  expect(await eventsAbout(sale, /chargeback|refund/)).toEqual(['order.chargeback_received'])
  expect(await brokenInvariants()).toEqual({})
})

test('a won chargeback returns the money to the merchant, and sends an event', async () => {
  const sale = await aSale({ price: '100.00' })
  const raised = await dispute(sale)
  const { chargebackId } = await move(raised.chargebackId, 'won')
  const won = await chargebackOf(sale, raised)
  expect(won).toMatchObject({ status: 'won', orderId: null, total: price('121.00') })
  expect(won.links.order).toBeNull()
  expect(await orderOf(sale)).toMatchObject({ reversedSubtotal: price('0.00'), refundableSubtotal: price('100.00') })
  const events = await db().events.findMany({ where: { entity_id: sale.orderId, name: { contains: 'chargeback' } } })
  expect(events.map(({ name, entity_type }) => [name, entity_type])).toEqual([
    ['order.chargeback_received', 'order'],
    ['order.chargeback_reversed', 'order'],
  ])
  const event = await get(sale.key, `/v1/webhook-events/${events[1]?.id}`)
  expect(event).toMatchObject({ entityId: sale.orderId, object: won })
  expect(chargebackId).toBe(won.id)
  await refundAll(sale)
  await pass(sale, 'PT1M')
  // The provider keeps its fee of 15.00, so the balance of 79.50 is too low for the refund.
  expect((await get(sale.key, '/v1/refunds')).data).toMatchObject([{ status: 'queued' }])
  await aSale({ price: '20.00', shop: sale.shop })
  expect((await get(sale.key, '/v1/refunds')).data).toMatchObject([{ status: 'refunded' }])
  expect(await brokenInvariants()).toEqual({})
})

test('a partial chargeback is divided into the net amount and each tax in the same proportion as the order', async () => {
  const sale = await aSale({ price: '100.00', buyer: { country: 'CA' } })
  const half = await dispute(sale, '57.49')
  expect(await chargebackOf(sale, half)).toMatchObject({
    amount: price('57.49'),
    total: price('57.49'),
    subtotal: price('50.00'),
    taxSummary: [{ amount: price('2.50') }, { amount: price('4.99') }],
  })
  expect(await orderOf(sale)).toMatchObject({ reversedSubtotal: price('50.00'), refundableSubtotal: price('50.00') })
  const rest = await dispute(sale, '57.49')
  expect(await chargebackOf(sale, rest)).toMatchObject({ subtotal: price('50.00'), total: price('57.49') })
  await move(half.chargebackId, 'lost')
  await move(rest.chargebackId, 'accepted')
  expect((await get(sale.key, `/v1/orders/${sale.orderId}/chargebacks`)).data).toMatchObject([
    { status: 'accepted' },
    { status: 'lost' },
  ])
  expect(await brokenInvariants()).toEqual({})
})

test('a chargeback of a partly refunded order is limited to the amount that was not refunded', async () => {
  const sale = await aSale({ price: '100.00' })
  const items = [{ itemId: sale.lines[0]?.id, amount: price('60.00') }]
  await send(`POST /v1/orders/${sale.orderId}/refunds`, { key: sale.key, body: { items } })
  await pass(sale, 'PT1M')
  const raised = await dispute(sale)
  expect(await chargebackOf(sale, raised)).toMatchObject({
    amount: price('121.00'),
    settlementAmount: price('63.40'),
    subtotal: price('40.00'),
    total: price('48.40'),
  })
  expect(await orderOf(sale)).toMatchObject({ reversedSubtotal: price('100.00'), refundableSubtotal: price('0.00') })
  const again = await dispute(sale)
  expect(await chargebackOf(sale, again)).toMatchObject({
    settlementAmount: price('15.00'),
    total: price('0.00'),
    subtotal: price('0.00'),
    taxSummary: [{ amount: price('0.00') }],
  })
  await move(again.chargebackId, 'lost')
  const { orderId } = await chargebackOf(sale, again)
  expect(await get(sale.key, `/v1/orders/${orderId}`)).toMatchObject({
    total: price('0.00'),
    lines: [],
    invoiceNumber: 'TEST-CN-2026-000002',
  })
  // The refund and the first chargeback already cover the order, so the operator bears the 121.00 of the second chargeback.
  expect(await reconcile(sale.tenant)).toMatchObject([
    { providerClearing: '48.40', provider: '-72.60', difference: '-121.00', unexplained: '0.00' },
  ])
  await move(raised.chargebackId, 'won')
  expect(await reconcile(sale.tenant)).toMatchObject([{ difference: '-121.00', unexplained: '0.00' }])
  expect(await brokenInvariants()).toEqual({})
})

test('a chargeback excludes the amount of a pending refund, and includes this amount after the refund is canceled', async () => {
  const sale = await aSale({ price: '100.00' })
  await aSale({ price: '500.00', shop: sale.shop })
  const items = (amount: string) => [{ itemId: sale.lines[0]?.id, amount: price(amount) }]
  const refund = async (amount: string) =>
    (await send(`POST /v1/orders/${sale.orderId}/refunds`, { key: sale.key, body: { items: items(amount) } })).body.id
  const [a, b] = [await refund('60.00'), await refund('30.00')]
  const raised = await dispute(sale)
  const charged = async () => (await chargebackOf(sale, raised)).settlementAmount.value
  const before = Number((await balanceOf(sale)).merchant_balance)
  expect(await charged()).toBe('27.10')
  for (const [id, settled] of [
    [a, '99.70'],
    [b, '136.00'],
  ]) {
    await send(`DELETE /v1/orders/${sale.orderId}/refunds/${id}`, { key: sale.key })
    expect(await charged()).toBe(settled)
    expect(Number((await balanceOf(sale)).merchant_balance)).toBeCloseTo(before + Number(settled) - 27.1, 2)
    expect(await brokenInvariants()).toEqual({})
  }
  await move(raised.chargebackId, 'lost')
  expect(await charged()).toBe('136.00')
  expect(await reconcile(sale.tenant)).toMatchObject([{ difference: '0.00', unexplained: '0.00', chargebacks: [] }])
  expect(await brokenInvariants()).toEqual({})
})

test('an accepted dispute of 5,000.00 on an order of 12.10 costs the merchant 12.10 plus the dispute fee', async () => {
  const sale = await aSale({ price: '10.00' })
  const raised = await dispute(sale, '5000.00')
  expect(await chargebackOf(sale, raised)).toMatchObject({ amount: price('5000.00'), settlementAmount: price('0.00') })
  await move(raised.chargebackId, 'accepted')
  await drainTasks()
  expect(await chargebackOf(sale, raised)).toMatchObject({
    status: 'accepted',
    amount: price('5000.00'),
    settlementAmount: price('27.10'),
    total: price('12.10'),
  })
  expect(await balanceOf(sale)).toEqual({ merchant_balance: '16.00', platform_fee: '-1.00', provider_fees: '-15.00' })
  expect(await reconcile(sale.tenant)).toEqual([
    {
      currency: 'EUR',
      providerClearing: '0.00',
      simulated: '0.00',
      provider: '-4987.90',
      difference: '-4987.90',
      takenOverCounted: '-4987.90',
      unexplained: '0.00',
      chargebacks: [raised.chargebackId],
    },
  ])
  expect(await brokenInvariants()).toEqual({})
})

test.each([
  [
    'canceled',
    async ({ key, orderId }: Sale, id: string) => send(`DELETE /v1/orders/${orderId}/refunds/${id}`, { key }),
  ],
  ['failed', (sale: Sale) => pass(sale, 'PT1M')],
] as const)(
  'a chargeback of an order with a pending full refund reverses nothing until the refund is %s, and then reverses the whole order',
  async (status, ends) => {
    const sale = await aSale({ price: '100.00' })
    await aSale({ price: '500.00', shop: sale.shop })
    const { body: refund } = await refundAll(sale)
    const raised = await dispute(sale)
    expect(await chargebackOf(sale, raised)).toMatchObject({
      total: price('0.00'),
      taxSummary: [{ amount: price('0.00') }],
    })
    await ends(sale, refund.id)
    expect(await get(sale.key, `/v1/refunds/${refund.id}`)).toMatchObject({ status })
    expect(await chargebackOf(sale, raised)).toMatchObject({
      subtotal: price('100.00'),
      total: price('121.00'),
      taxSummary: [{ amount: price('21.00') }],
    })
    expect(await orderOf(sale)).toMatchObject({ reversedSubtotal: price('100.00'), refundableSubtotal: price('0.00') })
    expect((await refundAll(sale)).status).toBe(422)
    await move(raised.chargebackId, 'lost')
    const { orderId } = await chargebackOf(sale, raised)
    expect(await get(sale.key, `/v1/orders/${orderId}`)).toMatchObject({ total: price('121.00') })
    expect(await brokenInvariants()).toEqual({})
  },
)

test('a lost chargeback cancels the queued refunds of the order and charges the merchant for the canceled amounts', async () => {
  const sale = await aSale({ price: '100.00' })
  const { body: refund } = await refundAll(sale)
  const raised = await dispute(sale)
  await pass(sale, 'PT1M')
  expect(await get(sale.key, `/v1/refunds/${refund.id}`)).toMatchObject({ status: 'queued' })
  await move(raised.chargebackId, 'lost')
  expect(await get(sale.key, `/v1/refunds/${refund.id}`)).toMatchObject({ status: 'canceled', orderId: null })
  expect(await chargebackOf(sale, raised)).toMatchObject({ status: 'lost', total: price('121.00') })
  expect(await eventsAbout(sale, /chargeback|refund/)).toEqual(['order.chargeback_received', 'refund.canceled'])
  expect(await balanceOf(sale)).toEqual({ merchant_balance: '20.50', platform_fee: '-5.50', provider_fees: '-15.00' })
  expect(await brokenInvariants()).toEqual({})
})

test('a lost chargeback cancels as few unsent refunds as possible, newest first', async () => {
  const sale = await aSale({ price: '100.00' })
  const items = [{ itemId: sale.lines[0]?.id, amount: price('20.00') }]
  for (let n = 0; n < 2; n++)
    expect((await send(`POST /v1/orders/${sale.orderId}/refunds`, { key: sale.key, body: { items } })).status).toBe(201)
  // Two refunds, of 24.20 each, are unsent, and 72.60 of the order remains. One canceled refund makes the remaining amount equal to the chargeback of 96.80.
  const raised = await dispute(sale, '96.80')
  await move(raised.chargebackId, 'lost')
  expect((await get(sale.key, '/v1/refunds')).data).toMatchObject([{ status: 'canceled' }, { status: 'pending' }])
  expect(await chargebackOf(sale, raised)).toMatchObject({ status: 'lost', total: price('96.80') })
  expect(await brokenInvariants()).toEqual({})
})

test('a lost chargeback waits for a refund that the bank is processing', async () => {
  const sale = await aSale({ price: '100.00' })
  await aSale({ price: '500.00', shop: sale.shop })
  const { body: refund } = await refundAll(sale)
  const raised = await dispute(sale)
  const bank = vi.spyOn(sandbox, 'refund').mockResolvedValueOnce({ ref: 'sandbox_0', status: 'pending' })
  await pass(sale, 'PT1M')
  await expect(move(raised.chargebackId, 'lost')).rejects.toMatchObject({ code: 'already_in_flight' })
  expect(await chargebackOf(sale, raised)).toMatchObject({ status: 'pending', total: price('0.00') })
  await pass(sale, 'PT1H')
  bank.mockRestore()
  expect(await get(sale.key, `/v1/refunds/${refund.id}`)).toMatchObject({ status: 'failed' })
  expect(await chargebackOf(sale, raised)).toMatchObject({ status: 'lost', total: price('121.00') })
  expect(await brokenInvariants()).toEqual({})
})

test('if a lost chargeback cancels a queued refund, the next queued refund is sent', async () => {
  const buyer = { country: 'DE', taxId: 'DE1' }
  const sale = await aSale({ price: '100.00', buyer })
  const other = await aSale({ price: '10.00', buyer, shop: sale.shop })
  await createPayout(sale.tenant, { amount: '53.50' })
  await refundAll(sale)
  const { body: behind } = await refundAll(other)
  await pass(sale, 'PT1M')
  expect(await get(sale.key, `/v1/refunds/${behind.id}`)).toMatchObject({ status: 'queued' })
  await move((await dispute(sale, '0.01')).chargebackId, 'lost')
  await drainTasks()
  expect((await get(sale.key, '/v1/refunds')).data).toMatchObject([{ status: 'refunded' }, { status: 'canceled' }])
  expect(await brokenInvariants()).toEqual({})
})

test('the bank refuses a pending refund if the payment was charged back', async () => {
  const sale = await aSale({ price: '100.00' })
  await refundAll(sale)
  await dispute(sale)
  await aSale({ price: '500.00', shop: sale.shop })
  await pass(sale, 'PT1M')
  expect((await get(sale.key, '/v1/refunds')).data).toMatchObject([{ status: 'failed' }])
  expect(await eventsAbout(sale, /chargeback|refund/)).toEqual(['order.chargeback_received', 'refund.failed'])
  expect(await brokenInvariants()).toEqual({})
})

test.each([
  ['accepted', '100.00', '0.00', 'TEST-CN-2026-000001'],
  ['rejected', '0.00', '100.00', null],
] as const)(
  'a chargeback above the order total has no effect until an operator decides about it: %s',
  async (to, reversed, refundable, number) => {
    const sale = await aSale({ price: '100.00' })
    const before = await balanceOf(sale)
    const raised = await dispute(sale, '121.01')
    expect(await chargebackOf(sale, raised)).toMatchObject({
      status: 'requires_amount_review',
      amount: price('121.01'),
      settlementAmount: price('0.00'),
      total: price('0.00'),
      subtotal: price('0.00'),
    })
    expect(await orderOf(sale)).toMatchObject({ reversedSubtotal: price('0.00'), refundableSubtotal: price('100.00') })
    expect(await balanceOf(sale)).toEqual(before)
    for (const illegal of ['won', 'lost', 'pending', 'evidence_submitted'] as const)
      await expect(move(raised.chargebackId, illegal)).rejects.toMatchObject({ on: { to: [expect.any(String)] } })

    await move(raised.chargebackId, to)
    const decided = await chargebackOf(sale, raised)
    expect(decided).toMatchObject({ status: to, settlementAmount: price(to === 'accepted' ? '136.00' : '0.00') })
    expect(await orderOf(sale)).toMatchObject({
      reversedSubtotal: price(reversed),
      refundableSubtotal: price(refundable),
    })
    const note = decided.orderId && (await get(sale.key, `/v1/orders/${decided.orderId}`)).invoiceNumber
    expect(note).toBe(number)
    const expectedEvents = ['order.chargeback_received', ...(to === 'rejected' ? ['order.chargeback_reversed'] : [])]
    expect(await eventsAbout(sale, /chargeback/)).toEqual(expectedEvents)
    if (to === 'rejected') expect(await balanceOf(sale)).toEqual(before)
    await drainTasks()
    if (to === 'rejected') {
      await refundAll(sale)
      await pass(sale, 'PT1M')
      expect((await get(sale.key, '/v1/refunds')).data).toMatchObject([{ status: 'refunded' }])
    }
    await expect(move(raised.chargebackId, 'rejected')).rejects.toMatchObject({ on: { to: [expect.any(String)] } })
    expect(await brokenInvariants()).toEqual({})
  },
)

test('an order without a payment or with a simulated payment cannot be disputed', async () => {
  const scenario = await subscriptionScenario({ item: { trialDays: 1 } })
  const [trial] = await ordersOf(scenario)
  await expect(raise(trial.id, { reason: 'fraud' })).rejects.toMatchObject({
    on: { order: ['The order has no payment.'] },
  })
  await pass(scenario, 'P1D')
  await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', { paymentStatus: 'paid' })
  const simulated = (await ordersOf(scenario)).at(-1)
  await expect(raise(simulated.id, { reason: 'fraud' })).rejects.toMatchObject({
    on: { order: ['The payment of the order was simulated, so a bank cannot dispute it.'] },
  })
  await expect(raise('order_0', { reason: 'fraud' })).rejects.toMatchObject({ on: { order: [expect.any(String)] } })
  const sale = await aSale({ price: '10.00' })
  for (const amount of ['0.00', '-1.00', '1', 'x', '100000000.00'])
    await expect(raise(sale.orderId, { amount, reason: 'fraud' })).rejects.toMatchObject({
      on: { amount: [expect.any(String)] },
    })
  await expect(move('chargeback_0', 'won')).rejects.toMatchObject({ on: { chargeback: [expect.any(String)] } })
  const { chargebackId } = await dispute(sale)
  await move(chargebackId, 'lost')
  await expect(move(chargebackId, 'won')).rejects.toMatchObject({
    on: { to: ['A chargeback that is lost cannot become won.'] },
  })
})
