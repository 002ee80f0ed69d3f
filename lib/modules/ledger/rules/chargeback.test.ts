import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sum } from '../../../kernel/money.ts'
import type { Entry } from './account.ts'
import { postAccepted, postAllocated, postLost, postReceived, postWon } from './chargeback.ts'

const moved = (...bookings: Entry[][]) => {
  const sums: Record<string, bigint> = {}
  for (const { account, amount } of bookings.flat()) sums[account] = (sums[account] ?? 0n) + amount
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0n))
}
const chargeback = { total: 12_100n, providerFee: 1_500n, tax: 2_100n }
const gone = { provider_clearing: -12_100n, provider_fees: -1_500n, merchant_balance: 11_500n }

it('a chargeback immediately debits the merchant with the provider’s fee and the amount allocated to the order', () => {
  expect(moved(postReceived(chargeback))).toEqual({
    merchant_balance: 13_600n,
    chargebacks: -12_100n,
    provider_fees: -1_500n,
  })
})

it('a lost chargeback lowers the payable tax and credits the tax to the merchant', () => {
  expect(moved(postReceived(chargeback), postLost(chargeback))).toEqual({ ...gone, tax_payable: 2_100n })
})

it('a won chargeback gives the merchant back the amount allocated to the order, but not the provider’s fee', () => {
  expect(moved(postReceived(chargeback), postWon(chargeback))).toEqual({
    provider_fees: -1_500n,
    merchant_balance: 1_500n,
  })
})

it('accepting a chargeback after a review posts the same sums as receiving and then losing the chargeback', () => {
  expect(moved(postAccepted(chargeback))).toEqual(moved(postReceived(chargeback), postLost(chargeback)))
})

it('a chargeback with no amount allocated to the order costs the merchant only the provider’s fee', () => {
  const nothing = { total: 0n, providerFee: 1_500n, tax: 0n }
  expect(moved(postReceived(nothing), postLost(nothing))).toEqual({ provider_fees: -1_500n, merchant_balance: 1_500n })
})

it('allocating a chargeback in several parts posts the same sums as allocating it in one part', () => {
  const cents = fc.bigInt({ min: 0n, max: 10n ** 12n })
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1 }), cents, cents, ([first = 0n, ...more], tax, providerFee) => {
      const total = first + sum(more)
      const all = { total, tax, providerFee }
      const parts = [postReceived({ total: first, providerFee }), ...more.map((part) => postAllocated({ total: part }))]
      expect(moved(...parts)).toEqual(moved(postReceived(all)))
      expect(moved(...parts, postLost(all))).toEqual(moved(postAccepted(all)))
      // The merchant never loses more than the allocated amount (with tax) plus the fee.
      const charged = moved(...parts).merchant_balance ?? 0n
      expect(charged).toBe(total + providerFee)
      expect(moved(...parts, postWon(all)).merchant_balance ?? 0n).toBe(providerFee)
    }),
  )
})
