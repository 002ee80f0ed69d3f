import { expect, test, vi } from 'vitest'
import { balance } from '@/lib/modules/ledger/operations.ts'
import { createPayout } from '@/lib/modules/payouts/operations.ts'
import { sandbox } from '@/lib/providers/sandbox/provider.ts'
import { send } from '@/lib/testing/api.ts'
import { price } from '@/lib/testing/factories.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { aSale, balanceOf, eventsAbout, type Sale } from '@/lib/testing/money-back.ts'
import { ask, get, ordersOf, pass, subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'
import { failAtBank } from '@/lib/workflows/refund/operations.ts'

const refund = (sale: Sale, ...items: object[]) =>
  send(`POST /v1/orders/${sale.orderId}/refunds`, { key: sale.key, body: { items } })
const item = ({ lines: [line] }: Sale, value: string, more: object = {}) => ({
  itemId: line?.id,
  amount: price(value),
  ...more,
})
const orderOf = ({ key, orderId }: Sale) => get(key, `/v1/orders/${orderId}`)
const taxes = (body: { taxSummary: { amount: { value: string } }[] }) =>
  body.taxSummary.map(({ amount }) => amount.value)

test('three unequal refunds of a Canadian order are exact to the cent, and a fourth refund is refused', async () => {
  const sale = await aSale({ price: '100.00', buyer: { country: 'CA' } })
  expect(taxes(await orderOf(sale))).toEqual(['5.00', '9.98'])

  const first = await refund(sale, item(sale, '11.11'))
  expect(first.status).toBe(201)
  expect(first.body).toMatchObject({
    resource: 'refund',
    testmode: true,
    orderId: null,
    status: 'pending',
    originalOrderId: sale.orderId,
    subtotal: price('11.11'),
    total: price('12.78'),
    lines: [
      {
        resource: 'refundline',
        description: 'Handbook (Refund)',
        quantity: 1,
        basePrice: price('11.11'),
        subtotal: price('11.11'),
        total: price('12.78'),
      },
    ],
    links: { order: null },
  })
  expect(taxes(first.body)).toEqual(['0.56', '1.11'])
  expect(first.body.id).toMatch(/^refund_/)
  expect(first.body.lines[0].id).toMatch(/^refund_item_/)
  expect(await orderOf(sale)).toMatchObject({ reversedSubtotal: price('0.00'), refundableSubtotal: price('88.89') })
  await pass(sale, 'PT1M')
  const done = await get(sale.key, `/v1/refunds/${first.body.id}`)
  expect(done).toMatchObject({ status: 'refunded', orderId: expect.stringMatching(/^order_/) })
  expect(await orderOf(sale)).toMatchObject({ reversedSubtotal: price('11.11'), refundableSubtotal: price('88.89') })

  const second = await refund(sale, item(sale, '22.22'))
  expect(taxes(second.body)).toEqual(['1.11', '2.22'])
  const mistake = await refund(sale, item(sale, '50.00'))
  expect(await orderOf(sale)).toMatchObject({ refundableSubtotal: price('16.67') })
  const path = `/v1/orders/${sale.orderId}/refunds/${mistake.body.id}`
  expect((await send(`DELETE ${path}`, { key: sale.key })).status).toBe(204)
  expect(await get(sale.key, path)).toMatchObject({ status: 'canceled', orderId: null })
  const again = await send(`DELETE ${path}`, { key: sale.key })
  expect([again.status, again.body.code]).toEqual([422, 'refund_not_cancelable'])

  const third = await refund(sale, item(sale, '66.67'))
  expect(taxes(third.body)).toEqual(['3.33', '6.65'])
  const fourth = await refund(sale, item(sale, '0.01'))
  expect([fourth.status, fourth.body.errors]).toEqual([422, { orderId: ['The order is already refunded in full.'] }])
  await pass(sale, 'PT1M')
  expect(await orderOf(sale)).toMatchObject({ reversedSubtotal: price('100.00'), refundableSubtotal: price('0.00') })

  const { data: refunds } = await get(sale.key, `/v1/orders/${sale.orderId}/refunds`)
  expect(refunds.map(({ status }: { status: string }) => status)).toEqual([
    'refunded',
    'canceled',
    'refunded',
    'refunded',
  ])
  const credited = refunds.filter(({ orderId }: { orderId: string | null }) => orderId !== null).reverse()
  const notes = await Promise.all(
    credited.map(({ orderId }: { orderId: string }) => get(sale.key, `/v1/orders/${orderId}`)),
  )
  expect(notes.map(({ invoiceNumber, total }) => [invoiceNumber, total.value])).toEqual([
    ['TEST-CN-2026-000001', '12.78'],
    ['TEST-CN-2026-000002', '25.55'],
    ['TEST-CN-2026-000003', '76.65'],
  ])
  expect(new Set(notes.map(({ creditedOrderId }) => creditedOrderId))).toEqual(new Set([sale.orderId]))
  expect(await orderOf(sale)).toMatchObject({ creditedOrderId: null, replacesOrderId: null })
  expect(await eventsAbout(sale, /^refund\./)).toEqual([
    'refund.completed',
    'refund.canceled',
    'refund.completed',
    'refund.completed',
  ])
  expect(await balanceOf(sale)).toEqual({})
  expect(await brokenInvariants()).toEqual({})
})

test('the credit note of a refund is a separate order for the same buyer, and causes no order event', async () => {
  const sale = await aSale({ price: '50.00', buyer: { country: 'DE', companyName: 'Analytical Engines' } })
  const { body } = await send(`POST /v1/orders/${sale.orderId}/refunds/full`, {
    key: sale.key,
    body: { metadata: { ticket: 7 } },
  })
  expect(body).toMatchObject({
    subtotal: price('50.00'),
    total: price('59.50'),
    lines: [{ description: 'Handbook (Full refund)', quantity: 1, basePrice: price('50.00') }],
  })
  await pass(sale, 'PT1M')
  const { orderId, links } = await get(sale.key, `/v1/refunds/${body.id}`)
  const note = await get(sale.key, `/v1/orders/${orderId}`)
  const original = await orderOf(sale)
  expect(links.order.href).toBe(note.links.self.href)
  expect(note).toMatchObject({
    status: 'paid',
    total: price('59.50'),
    reversedSubtotal: price('0.00'),
    refundableSubtotal: price('0.00'),
    metadata: { ticket: 7 },
    customerId: original.customerId,
    customerDetails: original.customerDetails,
    paymentMethod: original.paymentMethod,
    lines: [{ productType: null, productId: null, description: 'Handbook (Full refund)' }],
    links: { customerInvoice: { type: 'text/html' } },
  })
  expect(await eventsAbout(sale, /order\.paid/)).toEqual(['order.paid'])
  expect((await get(sale.key, '/v1/orders')).data.map(({ id }: { id: string }) => id)).toEqual([orderId, sale.orderId])
  for (const path of ['', '/full']) {
    const body = { items: [{ itemId: note.lines[0].id, amount: price('1.00') }] }
    const refused = await send(`POST /v1/orders/${orderId}/refunds${path}`, { key: sale.key, body })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['orderId']])
  }
})

test('the description of a refund line consists of both description fields of the request', async () => {
  const sale = await aSale({ price: '10.00' })
  const { body } = await refund(
    sale,
    item(sale, '4.00', { description: 'Sorry', descriptionAdditionalLine: 'Chapter 3' }),
    item(sale, '1.00'),
  )
  expect(body.lines).toMatchObject([{ description: 'Sorry\nChapter 3', subtotal: price('5.00'), total: price('6.05') }])
})

test('refunds wait until the balance is sufficient, and are then sent automatically, oldest first', async () => {
  const sale = await aSale({ price: '100.00' })
  const small = await aSale({ price: '10.00', shop: sale.shop })
  expect(await balance(sale.tenant)).toContainEqual({ account: 'merchant_balance', currency: 'EUR', amount: '-103.50' })
  await createPayout(sale.tenant, { amount: '100.00' })
  const large = (await refund(sale, item(sale, '100.00'))).body
  const little = (await refund(small, item(small, '1.00'))).body
  await pass(sale, 'PT1M')
  const status = async ({ id }: { id: string }) => (await get(sale.key, `/v1/refunds/${id}`)).status
  expect([await status(large), await status(little)]).toEqual(['queued', 'queued'])
  const path = `/v1/orders/${sale.orderId}/refunds/${large.id}`
  expect((await send(`DELETE ${path}`, { key: sale.key })).body.code).toBe('refund_not_cancelable')

  await aSale({ price: '50.00', shop: sale.shop })
  expect([await status(large), await status(little)]).toEqual(['queued', 'queued'])
  await aSale({ price: '50.00', shop: sale.shop })
  expect([await status(large), await status(little)]).toEqual(['refunded', 'refunded'])
  expect(await brokenInvariants()).toEqual({})
})

test('a refund can be requested again after the bank refused it', async () => {
  const sale = await aSale({ price: '100.00' })
  const before = await balanceOf(sale)
  const { body } = await refund(sale, item(sale, '30.00'))
  expect(await failAtBank(body.id)).toMatchObject({ status: 'pending', bank: 'refuses' })
  await pass(sale, 'PT1M')
  expect(await get(sale.key, `/v1/refunds/${body.id}`)).toMatchObject({ status: 'failed', orderId: null })
  expect(await orderOf(sale)).toMatchObject({ reversedSubtotal: price('0.00'), refundableSubtotal: price('100.00') })
  expect(await eventsAbout(sale, /^refund\./)).toEqual(['refund.failed'])
  expect(await balanceOf(sale)).toEqual(before)
  await expect(failAtBank(body.id)).rejects.toMatchObject({ on: { refund: ['The refund is already failed.'] } })
  await refund(sale, item(sale, '100.00'))
  await pass(sale, 'PT1M')
  expect(await orderOf(sale)).toMatchObject({ reversedSubtotal: price('100.00') })
  expect(await brokenInvariants()).toEqual({})
})

test('a refund is sent again with the same idempotency key if it stays pending at the bank', async () => {
  const sale = await aSale({ price: '10.00' })
  const bank = vi.spyOn(sandbox, 'refund').mockResolvedValueOnce({ ref: 'sandbox_0', status: 'pending' })
  const { body } = await refund(sale, item(sale, '10.00'))
  await pass(sale, 'PT1M')
  expect(await get(sale.key, `/v1/refunds/${body.id}`)).toMatchObject({ status: 'processing', orderId: null })
  const refused = await send(`DELETE /v1/orders/${sale.orderId}/refunds/${body.id}`, { key: sale.key })
  expect(refused.body.code).toBe('refund_not_cancelable')
  expect(await brokenInvariants()).toEqual({})
  await pass(sale, 'PT1H')
  expect(await get(sale.key, `/v1/refunds/${body.id}`)).toMatchObject({ status: 'refunded' })
  const keys = bank.mock.calls.map(([, { idempotencyKey }]) => idempotencyKey)
  expect(keys).toEqual([body.id, body.id])
  bank.mockRestore()
  await expect(failAtBank(body.id)).rejects.toMatchObject({ on: { refund: ['The refund is already refunded.'] } })
})

test('refunding a renewal does not end the subscription', async () => {
  const scenario = await subscriptionScenario()
  await pass(scenario, 'P1M')
  const [, renewal] = await ordersOf(scenario)
  const body = { items: [{ itemId: renewal.lines[0].id, amount: price('40.00') }] }
  const { status } = await send(`POST /v1/orders/${renewal.id}/refunds`, { key: scenario.key, body })
  expect(status).toBe(201)
  await pass(scenario, 'P1M')
  expect(
    (await ordersOf(scenario)).map(({ invoiceNumber }: { invoiceNumber: string }) => invoiceNumber.slice(0, 8)),
  ).toEqual(['TEST-INV', 'TEST-INV', 'TEST-CN-', 'TEST-INV'])
  expect(await get(scenario.key, `/v1/subscriptions/${scenario.id}`)).toMatchObject({ status: 'active' })
  expect(await brokenInvariants()).toEqual({})
})

test('a simulated payment is refunded without a call to a payment provider', async () => {
  const scenario = await subscriptionScenario()
  await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', { paymentStatus: 'paid' })
  const renewal = (await ordersOf(scenario)).at(-1)
  const calls = vi.spyOn(sandbox, 'refund')
  const { body } = await send(`POST /v1/orders/${renewal.id}/refunds/full`, { key: scenario.key })
  await expect(failAtBank(body.id)).rejects.toMatchObject({ on: { refund: [expect.stringContaining('simulated')] } })
  await pass(scenario, 'PT1M')
  expect(await get(scenario.key, `/v1/refunds/${body.id}`)).toMatchObject({ status: 'refunded' })
  expect(calls).not.toHaveBeenCalled()
  calls.mockRestore()
  expect(await brokenInvariants()).toEqual({})
})

test('only a paid order above 0.00 can be refunded', async () => {
  const scenario = await subscriptionScenario({ item: { trialDays: 7 } })
  const [trial] = await ordersOf(scenario)
  const line = trial.lines[0].id
  const asked = await send(`POST /v1/orders/${trial.id}/refunds`, {
    key: scenario.key,
    body: { items: [{ itemId: line, amount: price('1.00') }] },
  })
  expect(asked.body.errors).toEqual({ orderId: ['The order has a total of 0.00, so there is no amount to refund.'] })
  await pass(scenario, 'P7D')
  await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal')
  const pending = (await ordersOf(scenario)).at(-1)
  const refused = await send(`POST /v1/orders/${pending.id}/refunds/full`, { key: scenario.key })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { orderId: ['Only a paid order can be refunded. The status of this order is pending.'] },
  ])
})

test('one response reports all problems of a refund request', async () => {
  const sale = await aSale({ price: '10.00' })
  const stranger = await aSale({ price: '10.00' })
  const reply = await refund(
    sale,
    item(sale, '0.00'),
    { itemId: stranger.lines[0]?.id, amount: price('1.00') },
    item(sale, '10.01', { description: '' }),
    item(sale, '1.00', { amount: price('1.00', 'GBP') }),
    { amount: price('1.0') },
    { itemId: stranger.lines[0]?.id, amount: price('1.0') },
  )
  expect(reply.status).toBe(422)
  expect(Object.keys(reply.body.errors).sort()).toEqual([
    'items.0.amount.value',
    'items.1.itemId',
    'items.2.amount',
    'items.2.description',
    'items.3.amount.currency',
    'items.4.amount.value',
    'items.4.itemId',
    'items.5.amount.value',
    'items.5.itemId',
  ])
  const over = await refund(sale, item(sale, '10.01'), { itemId: stranger.lines[0]?.id, amount: price('1.00') })
  expect(over.body.errors).toEqual({
    'items.0.amount': ['Must be at most the refundable amount of the line, before tax: 10.00 EUR.'],
    'items.1.itemId': ['The order has no line with this id.'],
  })
  const mixed = await refund(
    sale,
    item(sale, '10.01'),
    item(sale, '1.00', { amount: price('1.00', 'USD') }),
    item(sale, '1'),
  )
  expect(Object.keys(mixed.body.errors).sort()).toEqual([
    'items.0.amount',
    'items.1.amount.currency',
    'items.2.amount.value',
  ])
  const full = await send(`POST /v1/orders/${sale.orderId}/refunds/full`, {
    key: sale.key,
    body: { metadata: 7, items: [{ itemId: stranger.lines[0]?.id }] },
  })
  expect(Object.keys(full.body.errors)).toEqual(['metadata'])
  expect((await refund(sale)).body.errors).toEqual({ items: ['Must have at least 1 item(s).'] })
})

test('refunds of other tenants are not found', async () => {
  const sale = await aSale({ price: '10.00' })
  const other = await aSale({ price: '10.00' })
  const { id } = (await refund(sale, item(sale, '1.00'))).body
  for (const key of [other.key, sale.shop.liveKey]) {
    for (const line of [
      `GET /v1/refunds/${id}`,
      `GET /v1/orders/${sale.orderId}/refunds`,
      `GET /v1/orders/${sale.orderId}/refunds/${id}`,
      `DELETE /v1/orders/${sale.orderId}/refunds/${id}`,
      `POST /v1/orders/${sale.orderId}/refunds/full`,
      `GET /v1/orders/${other.orderId}/refunds/${id}`,
    ]) {
      expect([line, (await send(line, { key })).status]).toEqual([line, 404])
    }
    expect((await get(key, '/v1/refunds')).data).toEqual([])
  }
  const wrongOrder = await aSale({ price: '10.00', shop: sale.shop })
  expect((await send(`GET /v1/orders/${wrongOrder.orderId}/refunds/${id}`, { key: sale.key })).status).toBe(404)
  expect((await send(`DELETE /v1/orders/${wrongOrder.orderId}/refunds/${id}`, { key: sale.key })).status).toBe(404)
})

test('repeating a refund request with its idempotency key creates no second refund', async () => {
  const sale = await aSale({ price: '10.00' })
  const ask = () =>
    send(`POST /v1/orders/${sale.orderId}/refunds`, {
      key: sale.key,
      body: { items: [item(sale, '4.00')] },
      headers: { 'idempotency-key': 'refund-1' },
    })
  const [first, second] = [await ask(), await ask()]
  expect(second.headers.get('Idempotent-Replayed')).toBe('true')
  expect(second.body).toEqual(first.body)
  expect(await orderOf(sale)).toMatchObject({ refundableSubtotal: price('6.00') })
})
