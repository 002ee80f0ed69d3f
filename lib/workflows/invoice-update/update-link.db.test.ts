import { afterAll, describe, expect, test } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { housekeeping } from '../../server/housekeeping.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aLink, aSale, asking, filled, firstOrder, openPage, orderOf, statusOf } from '../../testing/invoice-update.ts'
import { aShop, tokenOf } from '../../testing/shop.ts'
import { ask, ordersOf, pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { invoiceUpdatePage } from './load-invoice-update.ts'
import { invoiceVersions } from './operations.ts'
import { submitInvoiceUpdate } from './submit-invoice-update.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

describe('a link for an invoice update', () => {
  test('an invoice update link is valid for 24 hours on the storefront’s clock', async () => {
    const sale = await aSale()
    const scenario = { key: sale.key } as Scenario
    const token = await aLink(sale)
    const form = await filled(token, { city: 'Bonn' })
    await pass(scenario, 'PT23H59M')
    await openPage(token)
    await pass(scenario, 'PT1M')
    const before = await orderOf(sale)
    expect(await statusOf(token)).toBe(410)
    for (const view of ['form', 'saved'] as const)
      expect(await invoiceUpdatePage(token, view)).toMatchObject({ state: 'expired' })
    expect(await submitInvoiceUpdate(token, form)).toEqual({ redirectTo: `/invoice-update/${token}` })
    expect(await orderOf(sale)).toEqual(before)
    await openPage(await aLink(sale))
  })

  test('an invoice update link keeps the entered values until the link expires', async () => {
    const sale = await aSale()
    const token = await aLink(sale)
    await submitInvoiceUpdate(token, await filled(token, { fullName: '', city: 'Bonn' }))
    const drafts = async () => {
      const links = await db().invoice_update_links.findMany({ where: { order_id: sale.orderId } })
      return links.map(({ draft }) => draft !== null)
    }
    await housekeeping()
    expect(await drafts()).toEqual([true])
    await pass(sale, 'P1D')
    await pass(sale, 'PT1S')
    await housekeeping()
    expect(await drafts()).toEqual([false])
  })

  test('an unknown invoice update link is not found', async () => {
    const sale = await aSale()
    const token = await aLink(sale)
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    const invoice = tokenOf((await orderOf(sale)).links.customerInvoice.href)
    for (const wrong of ['', 'x', altered, `${token}A`, invoice]) {
      expect(await statusOf(wrong)).toBe(404)
      expect(await invoiceUpdatePage(wrong, 'form')).toBeNull()
      expect(await submitInvoiceUpdate(wrong, new URLSearchParams())).toBeNull()
    }
  })

  test('an invoice update link is not stored in clear text', async () => {
    const sale = await aSale()
    const token = await aLink(sale)
    const rows = await db().$queryRaw<{ row: string }[]>`
      SELECT to_jsonb(l)::text AS row FROM invoice_update_links l
      UNION ALL SELECT to_jsonb(k)::text FROM idempotency_keys k UNION ALL SELECT to_jsonb(t)::text FROM tasks t`
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ row }) => row).join()).not.toContain(token.slice(-22))
  })

  test('an invoice update link is refused for an unknown order and for an order of another tenant', async () => {
    const sale = await aSale()
    const other = await aShop()
    const { liveKey } = await aShop()
    for (const [key, orderId] of [
      [sale.key, `order_${'0'.repeat(22)}`],
      [sale.key, 'order_1'],
      [other.testKey, sale.orderId],
      [liveKey, sale.orderId],
    ] as const) {
      expect(await asking({ key, orderId })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await db().invoice_update_links.count({ where: { order_id: sale.orderId } })).toBe(0)
  })

  test('an invoice update link is refused for an unpaid order and for an order of 0.00', async () => {
    const trial = await subscriptionScenario({ item: { trialDays: 14 } })
    const scenario = await subscriptionScenario()
    await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal')
    const [, pending] = await ordersOf(scenario)
    expect(pending).toMatchObject({ status: 'pending' })
    for (const sale of [await firstOrder(trial), { key: scenario.key, orderId: pending.id }]) {
      const reply = await asking(sale)
      expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
      expect(reply.body.errors).toEqual({ orderId: [expect.stringContaining('no invoice')] })
      await expect(invoiceVersions(sale.orderId)).rejects.toMatchObject({
        on: { order: ['The order has no invoice.'] },
      })
    }
  })

  test('repeating a request for an invoice update link with its idempotency key returns the same link', async () => {
    const sale = await aSale()
    const again = () =>
      send(`POST /v1/orders/${sale.orderId}/invoice-update-link`, {
        key: sale.key,
        headers: { 'Idempotency-Key': 'one' },
      })
    const [first, second] = [await again(), await again()]
    expect(second).toMatchObject({ status: 200, body: first.body })
    expect(await db().invoice_update_links.count({ where: { order_id: sale.orderId } })).toBe(1)
  })
})

test('a request for the invoice versions of an unknown order is refused with validation_failed', async () => {
  await expect(invoiceVersions(`order_${'0'.repeat(22)}`)).rejects.toMatchObject({
    code: 'validation_failed',
    on: { order: ['There is no order with this id.'] },
  })
})
