import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { hostedPath } from '../../kernel/hosted-pages.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aLink, orderOf } from '../../testing/invoice-update.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { balanceOf } from '../../testing/money-back.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { drainTasks, get, pass } from '../../testing/subscription-scenario.ts'
import { aSale, corrected, documentsOf, filled, refundsOf } from '../../testing/tax-correction.ts'
import { move, raise } from '../chargeback/operations.ts'
import { invoiceUpdatePage } from './load-invoice-update.ts'
import { submitInvoiceUpdate } from './submit-invoice-update.ts'

afterEach(async () => {
  vi.restoreAllMocks()
})

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

describe('concurrent corrections', () => {
  it('if the forms of two invoice update links are submitted at the same time, the tax of the invoice is corrected only once', async () => {
    const sale = await aSale()
    const [one, other] = [await aLink(sale), await aLink(sale)]
    const forms = await Promise.all([one, one, other].map(async (token) => [token, await filled(token)] as const))
    const ends = await raceBehind(
      lockOn('orders', sale.orderId),
      forms.map(
        ([token, form]) =>
          () =>
            submitInvoiceUpdate(token, form),
      ),
      // The number of calls that wait for a lock. The first submission for each link waits for the lock of the order.
      // The second submission for `one` waits for the lock of that link.
      3,
    )
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    await drainTasks()
    expect(await documentsOf(sale)).toEqual(corrected)
    expect(await refundsOf(sale)).toMatchObject([{ status: 'refunded' }])
  })

  it('after a tax correction, submitting the form of a second link changes nothing, and its page shows the new invoice', async () => {
    const sale = await aSale()
    const [one, other] = [await aLink(sale), await aLink(sale)]
    const typed = await filled(other, { taxId: '', companyName: 'Late GmbH', useForLaterOrders: 'on' })
    const forms = [[one, await filled(one)] as const, [other, typed] as const]
    const [, late] = await raceBehind(
      lockOn('orders', sale.orderId),
      forms.map(
        ([token, form]) =>
          () =>
            submitInvoiceUpdate(token, form),
      ),
      2,
      async () => undefined,
      { inTurn: true },
    )
    const redirectTo = hostedPath('invoice-update', other)
    expect(late).toEqual({ status: 'fulfilled', value: { redirectTo } })
    expect((await orderOf(sale)).customerDetails).toMatchObject({ taxId: 'DE1', companyName: null })
    const versions = await db().invoice_versions.findMany({ where: { order_id: sale.orderId } })
    expect(versions.map(({ version }) => version)).toEqual([1])
    expect(await invoiceUpdatePage(other, 'form')).toMatchObject({ state: 'open', number: 'TEST-INV-2026-000002' })
    await drainTasks()
    expect(await documentsOf(sale)).toEqual(corrected)
  })

  it.each([
    ['the tax correction is first', 0],
    ['the refund is first', 1],
  ])('a full refund and a concurrent tax correction return the tax once: %s', async (_, first) => {
    const sale = await aSale()
    const token = await aLink(sale)
    const form = await filled(token)
    const racers = [
      () => submitInvoiceUpdate(token, form) as Promise<unknown>,
      () => send(`POST /v1/orders/${sale.orderId}/refunds/full`, { key: sale.key }) as Promise<unknown>,
    ]
    const ends = await raceBehind(
      lockOn('orders', sale.orderId),
      first === 0 ? racers : racers.toReversed(),
      2,
      async () => undefined,
      { inTurn: true },
    )
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await brokenInvariants()).toEqual({})
    await drainTasks()
    await pass(sale, 'PT2M')
    const wasCorrected = (await documentsOf(sale)).length > 2
    expect(await documentsOf(sale)).toEqual(
      wasCorrected
        ? [...corrected, ['TEST-CN-2026-000002', '100.00', 'Reverse charge']]
        : [corrected[0], ['TEST-CN-2026-000001', '119.00', 'VAT']],
    )
    expect(wasCorrected).toBe(first === 0)
    expect(await balanceOf(sale)).toEqual({})
  })

  it.each([
    ['the tax ID is first', 0],
    ['the dispute is first', 1],
  ])(
    'if a tax ID and a dispute arrive at the same time, the invoice is corrected only if the tax ID is first: %s',
    async (_, first) => {
      const sale = await aSale()
      const token = await aLink(sale)
      const form = await filled(token)
      const racers = [
        () => submitInvoiceUpdate(token, form) as Promise<unknown>,
        () => raise(sale.orderId, { reason: 'fraud' }) as Promise<unknown>,
      ]
      const ends = await raceBehind(
        lockOn('orders', sale.orderId),
        first === 0 ? racers : racers.toReversed(),
        2,
        async () => undefined,
        { inTurn: true },
      )
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      expect(await brokenInvariants()).toEqual({})
      await drainTasks()
      const { data } = await get(sale.key, `/v1/orders/${sale.orderId}/chargebacks`)
      const wasCorrected = (await documentsOf(sale)).length > 1
      expect(wasCorrected).toBe(first === 0)
      expect(data).toMatchObject([
        { amount: { value: '119.00' }, total: { value: wasCorrected ? '100.00' : '119.00' } },
      ])
      expect(await move(data[0].id, 'lost')).toMatchObject({ status: 'lost' })
    },
  )
})
