import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { amount } from '../../testing/amount.ts'
import { killedAt, moments, places } from '../../testing/crash.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import { brokenAtRest, brokenInvariants } from '../../testing/invariants.ts'
import {
  aCatalogue,
  aCheckout,
  aShop,
  buyerForm,
  germanVisitor,
  runDueTasks,
  type Shop,
  tokenOf,
} from '../../testing/shop.ts'
import { chooseOutcome } from '../test-payment-page/submit-test-payment.ts'
import { submitCheckout } from './submit-checkout.ts'

let shop: Shop
let items: { id: string }[]
let restore: () => Promise<void>

beforeAll(async () => {
  shop = await aShop()
  const { planId, productId } = await aCatalogue(shop)
  items = [{ id: planId }, { id: productId }]
  restore = await takeSnapshot()
})

async function pay(token: string): Promise<void> {
  const next = await submitCheckout(token, buyerForm(), germanVisitor)
  if (!next?.redirectTo.includes('/pay/')) return
  await chooseOutcome(tokenOf(next.redirectTo), new URLSearchParams({ outcome: 'paid', mandate: 'valid' }))
}

async function saleKilledAt(n: number, moment: 'before' | 'after'): Promise<boolean> {
  await restore()
  const { id, token } = await aCheckout(shop, items)
  const killed = await killedAt(n, moment, () => pay(token), places())
  expect(await brokenAtRest()).toEqual({})
  await runDueTasks()
  await pay(token)
  await runDueTasks()
  expect(await brokenInvariants()).toEqual({})
  expect(await db().checkouts.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'paid' })
  expect(await db().orders.count({ where: { checkout_id: id } })).toBe(1)
  return killed
}

describe('a sale in a killed process', () => {
  it.each(moments)('a sale is paid exactly once if the process is killed %s any query', async (moment) => {
    let n = 1
    while (await saleKilledAt(n, moment)) n++
    expect(n).toBeGreaterThan(amount({ short: 4, long: 30 }))
  })
})
