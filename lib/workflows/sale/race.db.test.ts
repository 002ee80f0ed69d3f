import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import {
  aCatalogue,
  aCheckout,
  aShop,
  buyerForm,
  eventsOf,
  germanVisitor,
  runDueTasks,
  type Shop,
  tokenOf,
} from '../../testing/shop.ts'
import { chooseOutcome } from '../test-payment-page/submit-test-payment.ts'
import { cancelCheckout } from './cancel-or-expire.ts'
import { submitCheckout } from './submit-checkout.ts'

let shop: Shop
let items: { id: string }[]

beforeEach(async () => {
  shop = await aShop({ at: '2026-12-01T00:00:00Z' })
  const { planId, productId } = await aCatalogue(shop)
  items = [{ id: planId }, { id: productId }]
})

const times = <Result>(n: number, work: (index: number) => Promise<Result>) =>
  Array.from({ length: n }, (_, index) => () => work(index))
const lockOn = (table: string, id: string) => ({
  sql: `SELECT 1 FROM ${table} WHERE ${table === 'sandbox_payments' ? 'ref' : 'id'} = $1 FOR UPDATE`,
  values: [id],
})

async function atProvider(form = buyerForm()) {
  const checkout = await aCheckout(shop, items)
  const next = await submitCheckout(checkout.token, form, germanVisitor)
  const { provider_ref } = await db().payments.findFirstOrThrow({ where: { checkout_id: checkout.id } })
  return { ...checkout, payToken: tokenOf(next?.redirectTo ?? ''), ref: provider_ref ?? '' }
}

const paid = new URLSearchParams({ outcome: 'paid', mandate: 'valid' })

describe('concurrent buyers', () => {
  it('concurrent submissions of one checkout create one payment', async () => {
    const { id, token } = await aCheckout(shop, items)
    const ends = await raceBehind(
      lockOn('checkouts', id),
      times(8, () => submitCheckout(token, buyerForm(), germanVisitor)),
    )
    const targets = ends.map((end) => (end.status === 'fulfilled' ? end.value?.redirectTo : end.reason))
    expect(new Set(targets).size).toBe(1)
    expect(targets[0]).toMatch(/^\/pay\//)
    expect(await db().orders.count({ where: { checkout_id: id } })).toBe(1)
    expect(await db().payments.count({ where: { checkout_id: id } })).toBe(1)
    expect(await db().sandbox_payments.count({ where: { storefront_id: shop.storefrontId } })).toBe(1)
  })

  it('after concurrent submissions of a checkout with different payment methods, only one payment can be paid', async () => {
    const { id, token } = await aCheckout(shop, items)
    const methods = ['creditcard', 'paypal', 'ideal', 'bancontact']
    await raceBehind(
      lockOn('checkouts', id),
      times(8, (n) => submitCheckout(token, buyerForm({ paymentMethod: methods[n % 4] ?? '' }), germanVisitor)),
    )
    const open = await db().sandbox_payments.findMany({ where: { storefront_id: shop.storefrontId, status: 'open' } })
    const ours = await db().payments.findMany({ where: { checkout_id: id, status: 'open' } })
    expect(ours).toHaveLength(1)
    expect(open.map((payment) => payment.ref)).toContain(ours[0]?.provider_ref)
    expect(await brokenInvariants()).toEqual({})
  })

  it('a buyer who pays in two tabs at the same time is charged once', async () => {
    const sale = await atProvider()
    await raceBehind(
      lockOn('sandbox_payments', sale.ref),
      times(6, () => chooseOutcome(sale.payToken, paid)),
    )
    await runDueTasks()
    expect(await eventsOf(shop)).toEqual(['checkout.paid', 'subscription.started', 'order.paid'])
    expect(await brokenInvariants()).toEqual({})
  })

  it('concurrent updates of a payment take effect once', async () => {
    const sale = await atProvider()
    await db().sandbox_payments.update({ where: { ref: sale.ref }, data: { status: 'paid', mandate: 'valid' } })
    const { syncWithProvider } = await import('../../testing/sync-payment.ts')
    await raceBehind(
      lockOn('checkouts', sale.id),
      times(6, () => syncWithProvider(shop.scope, sale.ref)),
    )
    expect(await eventsOf(shop)).toEqual(['checkout.paid', 'subscription.started', 'order.paid'])
    expect(await brokenInvariants()).toEqual({})
  })

  it('if a checkout is paid and canceled concurrently, either the payment or the cancellation takes effect', async () => {
    for (let round = 0; round < 4; round++) {
      const sale = await atProvider()
      const racers: (() => Promise<unknown>)[] = [
        () => chooseOutcome(sale.payToken, paid),
        () => cancelCheckout(shop.scope, sale.id),
      ]
      const ends = await raceBehind(lockOn('sandbox_payments', sale.ref), round % 2 ? racers.reverse() : racers)
      expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'fulfilled'])
      const { status } = await db().checkouts.findUniqueOrThrow({ where: { id: sale.id } })
      expect(['paid', 'canceled']).toContain(status)
      expect(await brokenInvariants()).toEqual({})
    }
  })

  it('concurrent sales get consecutive invoice numbers and create one customer per address', async () => {
    const sales = []
    for (let n = 0; n < 6; n++) sales.push(await atProvider())
    await db().invoice_series.create({ data: { scope: shop.storefrontId, name: 'TEST-INV-2026', last: 0n } })
    const hold = { sql: 'SELECT 1 FROM invoice_series WHERE scope = $1 FOR UPDATE', values: [shop.storefrontId] }
    const ends = await raceBehind(
      hold,
      sales.map((sale) => () => chooseOutcome(sale.payToken, paid)),
      1,
    )
    expect(ends.every((end) => end.status === 'fulfilled')).toBe(true)
    const orders = await db().orders.findMany({ where: { storefront_id: shop.storefrontId } })
    const numbers = orders.map((order) => order.invoice_number).sort()
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6].map((n) => `TEST-INV-2026-00000${n}`))
    expect(await db().customers.count({ where: { storefront_id: shop.storefrontId } })).toBe(1)
    expect(await brokenInvariants()).toEqual({})
  })
})
