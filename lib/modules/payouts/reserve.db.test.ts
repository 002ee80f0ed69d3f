import { beforeEach, describe, expect, it } from 'vitest'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { configure } from '../../testing/configure.ts'
import { aSale } from '../../testing/money-back.ts'
import { aShop } from '../../testing/shop.ts'
import { drainTasks } from '../../testing/subscription-scenario.ts'
import { move, raise } from '../../workflows/chargeback/operations.ts'
import { openDisputesOf } from '../chargebacks/store.ts'
import { entries } from '../ledger/rules/account.ts'
import { insertEntries } from '../ledger/store.ts'
import { checkPayout, createPayout, requestPayout } from './operations.ts'
import { withheldFrom } from './release.ts'
import { stillDisputed } from './rules/release.ts'

configure({ PAYOUT_RESERVE_PERCENT: '10', PAYOUT_RESERVE_DAYS: '60' })

const dayMs = 86_400_000
const now = new Date()
let tenant: Tenant
beforeEach(async () => {
  tenant = { storefrontId: (await aShop()).storefrontId, testmode: false }
})

let count = 0
const posted = (orderId: string, days: number, minor: bigint, cause = 'order.paid', currency: 'EUR' | 'USD' = 'EUR') =>
  db().$transaction((sql) => {
    const shared = { transactionId: `ledger_${++count}`, orderId, subjectId: `${orderId}_${count}`, cause, currency }
    const createdAt = new Date(now.getTime() - days * dayMs)
    const sides = entries({ merchant_balance: -minor, provider_clearing: minor })
    return insertEntries(
      sql,
      tenant,
      sides.map((side, index) => ({ ...shared, ...side, createdAt, id: `entry_${count}_${index}` })),
    )
  })
const withheld = (of = tenant) => withheldFrom(db(), of, 'EUR', now)

describe('reserve', () => {
  it('the payout reserve is a share of the sales whose hold is over, less their refunds and costs', async () => {
    await posted('order_held', 6, 10_000n)
    await posted('order_sold', 8, 20_000n)
    await posted('order_last', 59, 1_000n)
    await posted('order_old', 61, 500_000n)
    expect(await withheld()).toEqual({ held: 10_000n, reserve: 2_100n, disputed: 0n })
    await posted('order_sold', 1, -15_000n, 'refund.processing')
    expect(await withheld()).toEqual({ held: 10_000n, reserve: 600n, disputed: 0n })
  })

  it('the payout reserve of a currency counts only sales in this currency, and is zero in test mode', async () => {
    await posted('order_sold', 8, 20_000n)
    await posted('order_dollars', 8, 70_000n, 'order.paid', 'USD')
    expect((await withheld()).reserve).toBe(2_000n)
    expect(await withheld({ ...tenant, testmode: true })).toEqual({ held: 0n, reserve: 0n, disputed: 0n })
  })

  it('a payout of the reserve is refused', async () => {
    await posted('order_held', 6, 10_000n)
    await posted('order_sold', 8, 20_000n)
    const sentence =
      'Must be at most the released balance, 180.00 EUR: 100.00 EUR is held until 7 days after its ' +
      'payment, 20.00 EUR is the reserve for disputes.'
    for (const pay of [checkPayout, createPayout, requestPayout])
      await expect(pay(tenant, { amount: '180.01' })).rejects.toMatchObject({ on: { amount: [sentence] } })
    expect(await requestPayout(tenant, { amount: '180.00' })).toMatchObject({ balance: '120.00' })
  })
})

it('the amount at risk in open disputes is withheld, and nothing is withheld for a decided dispute', async () => {
  const sale = await aSale({ price: '100.00' })
  const disputed = async () =>
    (await openDisputesOf(db(), sale.tenant, 'EUR')).map((each) => `${each.status} ${stillDisputed(each)}`)
  const { chargebackId } = await raise(sale.orderId, { amount: '5000.00', reason: 'fraud' })
  await drainTasks()
  expect(await disputed()).toEqual(['requires_amount_review 13600'])
  expect(await openDisputesOf(db(), sale.tenant, 'USD')).toEqual([])
  expect(await openDisputesOf(db(), { ...sale.tenant, testmode: false }, 'EUR')).toEqual([])
  await move(chargebackId, 'rejected')
  await drainTasks()
  expect(await disputed()).toEqual([])
  await raise(sale.orderId, { amount: '121.00', reason: 'fraud' })
  await drainTasks()
  expect(await disputed()).toEqual(['pending 0'])
})
