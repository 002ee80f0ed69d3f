import { beforeEach, expect, it } from 'vitest'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { aShop } from '../../testing/shop.ts'
import type { Account } from '../ledger/rules/account.ts'
import { insertEntries } from '../ledger/store.ts'
import { checkPayout, createPayout } from './operations.ts'
import { withheldFrom } from './release.ts'

const dayMs = 86_400_000
const now = Date.now()
let tenant: Tenant
beforeEach(async () => {
  tenant = { storefrontId: (await aShop()).storefrontId, testmode: false }
})

let count = 0
const posted = (orderId: string, cause: string, days: number, minor: bigint, of = tenant) =>
  db().$transaction((sql) => {
    const shared = { transactionId: `ledger_hold_${++count}`, orderId, cause, currency: 'EUR' as const }
    const moved: [Account, bigint][] = [
      ['merchant_balance', -minor],
      ['provider_clearing', minor],
    ]
    const entries = moved.map(([account, amount], index) => ({
      ...shared,
      id: `entry_hold_${count}_${index}`,
      subjectId: `${orderId}_${count}`,
      account,
      amount,
      createdAt: new Date(now - days * dayMs),
    }))
    return insertEntries(sql, of, entries)
  })
const withheld = (of = tenant) => withheldFrom(db(), of, 'EUR', new Date(now))
const held = async (of = tenant) => (await withheld(of)).held

it('the payout hold is the amount of the last seven days’ sales less their refunds', async () => {
  await posted('order_old', 'order.paid', 8, 9_450n)
  expect(await held()).toBe(0n)
  await posted('order_new', 'order.paid', 6, 5_000n)
  expect(await held()).toBe(5_000n)
  await posted('order_new', 'refund.processing', 1, -2_000n)
  expect(await held()).toBe(3_000n)
  await posted('order_old', 'refund.processing', 1, -450n)
  expect(await held()).toBe(3_000n)
  await posted('order_disputed', 'order.paid', 2, 1_000n)
  await posted('order_disputed', 'chargeback.received', 1, -2_500n)
  expect(await held()).toBe(3_000n)
})

it('the payout hold of a storefront counts only its own sales in live mode, and is zero in test mode', async () => {
  const test = { ...tenant, testmode: true }
  const other = { storefrontId: (await aShop()).storefrontId, testmode: false }
  await posted('order_test', 'order.paid', 1, 1_000n, test)
  await posted('order_other', 'order.paid', 1, 1_000n, other)
  expect(await held()).toBe(0n)
  expect(await held(test)).toBe(0n)
  expect(await held(other)).toBe(1_000n)
})

it('a payout above the released amount is refused, and the error states the held amount', async () => {
  await posted('order_old', 'order.paid', 8, 9_450n)
  await posted('order_new', 'order.paid', 6, 5_000n)
  const sentence = 'Must be at most the released balance, 94.50 EUR: 50.00 EUR is held until 7 days after its payment.'
  for (const pay of [checkPayout, createPayout])
    await expect(pay(tenant, { amount: '94.51' })).rejects.toMatchObject({ on: { amount: [sentence] } })
  await checkPayout(tenant, { amount: '94.50' })
  expect(await createPayout(tenant, { amount: '94.50' })).toMatchObject({ balance: '50.00' })
  await expect(createPayout(tenant, { amount: '0.01' })).rejects.toMatchObject({ code: 'validation_failed' })
})
