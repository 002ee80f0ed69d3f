import { expect, it, vi } from 'vitest'
import { createPayout } from '../../modules/payouts/operations.ts'
import { db } from '../../platform/db/db.ts'
import { sandbox } from '../../providers/sandbox/provider.ts'
import { aCheckout, aProduct, pay, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, balanceOf } from '../../testing/money-back.ts'
import { pass } from '../../testing/subscription-scenario.ts'
import { create } from './operations.ts'

it('102 queued refunds are sent in several batches when the balance suffices, without further requests by the merchant', async () => {
  const [many, sale] = [102, await aSale({ price: '102.00' })]
  const { tenant, key } = sale
  await createPayout(tenant, { amount: '96.39' })
  const items = [{ itemId: sale.lines[0]?.id ?? '', amount: { minor: 100n, currency: 'EUR' as const } }]
  for (let n = 0; n < many; n++) await create(tenant, sale.orderId, { items })
  const statuses = async () => {
    const groups = await db().refunds.groupBy({ by: ['status'], _count: true })
    return Object.fromEntries(groups.map(({ status, _count }) => [status, _count]))
  }
  expect(await statuses()).toEqual({ pending: many })
  await pass(sale, 'PT1M')
  expect(await statuses()).toEqual({ queued: many })
  const product = await aProduct(key, { basePrice: price('500.00') })
  await pay(key, await aCheckout(key, product.id))
  await pass(sale, 'PT1S')
  expect(await statuses()).toEqual({ refunded: many })
  expect(await balanceOf(sale)).toMatchObject({ payouts: '-96.39' })
  expect(await brokenInvariants()).toEqual({})
})

it('the part of our fee that a refund returns depends on all refunds of the sale, including refunds pending at the bank', async () => {
  const sale = await aSale({ price: '100.00' })
  const refund = () => {
    const items = [{ itemId: sale.lines[0]?.id ?? '', amount: { minor: 9n, currency: 'EUR' as const } }]
    return create(sale.tenant, sale.orderId, { items })
  }
  const bank = vi.spyOn(sandbox, 'refund').mockResolvedValue({ ref: 'sandbox_0', status: 'pending' })
  await refund()
  await pass(sale, 'PT1M')
  const where = { order_id: sale.orderId }
  const fees = () =>
    db().refunds.findMany({ where, orderBy: { id: 'asc' }, select: { status: true, fee_returned: true } })
  expect(await fees()).toEqual([{ status: 'processing', fee_returned: 0n }])
  await refund()
  await pass(sale, 'PT1M')
  // The fee is 5.50 on 100.00. The part for 0.09 rounds to 0.00, and the part for 0.18 rounds to 0.01.
  expect(await fees()).toEqual([
    { status: 'processing', fee_returned: 0n },
    { status: 'processing', fee_returned: 1n },
  ])
  bank.mockRestore()
  await pass(sale, 'PT1H')
  expect(await fees()).toMatchObject([{ status: 'refunded' }, { status: 'refunded' }])
  expect(await brokenInvariants()).toEqual({})
})
