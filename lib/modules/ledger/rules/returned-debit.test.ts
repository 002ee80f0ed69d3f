import { expect, it } from 'vitest'
import { postPaidAgain, postReturned, postWrittenOff } from './returned-debit.ts'
import { postSale } from './sale.ts'

/** A sale of 100.00 plus 21.00 tax. The service's fee is 5.50, and the bank's fee is 7.50. */
const sold = postSale({
  total: 12_100n,
  subtotal: 10_000n,
  fee: { part: { numerator: 5n, denominator: 100n }, fixed: 50n },
})
const returned = postReturned({ total: 12_100n, fee: 550n, bankFee: 750n })
const balances = (...postings: (typeof sold)[]) => {
  const sums = new Map<string, bigint>()
  for (const { account, amount } of postings.flat()) sums.set(account, (sums.get(account) ?? 0n) + amount)
  return Object.fromEntries([...sums].filter(([, amount]) => amount !== 0n))
}

it('a returned debit leaves the payable tax unchanged and debits the merchant with tax and bank fee', () => {
  expect(balances(sold, returned)).toEqual({
    tax_payable: -2_100n,
    merchant_balance: 2_850n,
    provider_fees: -750n,
  })
})

it('a payment after a returned debit restores the balances of the sale, except that the merchant pays the bank fee', () => {
  expect(balances(sold, returned, postPaidAgain({ total: 12_100n, fee: 550n }))).toEqual({
    ...balances(sold),
    merchant_balance: -8_700n,
    provider_fees: -750n,
  })
})

it('after the write-off of a returned debit, the merchant owes only the bank fee', () => {
  expect(balances(sold, returned, postWrittenOff({ tax: 2_100n }))).toEqual({
    merchant_balance: 750n,
    provider_fees: -750n,
  })
})
