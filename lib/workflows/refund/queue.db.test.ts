import { expect, it } from 'vitest'
import { createPayout } from '../../modules/payouts/operations.ts'
import { db } from '../../platform/db/db.ts'
import { aCheckout, aProduct, pay, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, balanceOf } from '../../testing/money-back.ts'
import { pass } from '../../testing/subscription-scenario.ts'
import { create } from './operations.ts'

it('more refunds than fit into one transaction enter the queue and leave it without further requests', async () => {
  const [many, sale] = [120, await aSale({ price: '120.00' })]
  const { tenant, key } = sale
  await createPayout(tenant, { amount: '113.50' })
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
  expect(await balanceOf(sale)).toMatchObject({ payouts: '-113.50' })
  expect(await brokenInvariants()).toEqual({})
})
