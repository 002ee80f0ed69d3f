import { expect, it } from 'vitest'
import type { Entry } from './account.ts'
import { bookAccepted, bookLost, bookReceived, bookWon } from './chargeback.ts'

const moved = (...bookings: Entry[][]) => {
  const sums: Record<string, bigint> = {}
  for (const { account, amount } of bookings.flat()) sums[account] = (sums[account] ?? 0n) + amount
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0n))
}
const chargeback = { amount: 12_100n, providerFee: 1_500n, tax: 2_100n }
const gone = { provider_clearing: -12_100n, provider_fees: -1_500n, merchant_balance: 11_500n }

it('takes what is disputed and the fee from the merchant at once; the provider withholds the money', () => {
  expect(moved(bookReceived(chargeback))).toEqual({
    merchant_balance: 13_600n,
    chargebacks: -12_100n,
    provider_fees: -1_500n,
  })
})

it('that is lost takes the tax off what is payable, and gives it back to the merchant', () => {
  expect(moved(bookReceived(chargeback), bookLost(chargeback))).toEqual({ ...gone, tax_payable: 2_100n })
})

it('that is won gives all back but the fee of the provider', () => {
  expect(moved(bookReceived(chargeback), bookWon(chargeback))).toEqual({
    provider_fees: -1_500n,
    merchant_balance: 1_500n,
  })
})

it('that is accepted after a review is as if it had been received and lost', () => {
  expect(moved(bookAccepted(chargeback))).toEqual(moved(bookReceived(chargeback), bookLost(chargeback)))
})

it('of more than what was left costs the merchant the rest', () => {
  const rest = { amount: 12_100n, providerFee: 0n, tax: 0n }
  expect(moved(bookReceived(rest), bookLost(rest))).toEqual({
    provider_clearing: -12_100n,
    merchant_balance: 12_100n,
  })
})
