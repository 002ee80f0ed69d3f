import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { percent, sum } from '../../../kernel/money.ts'
import { postSale } from './sale.ts'

const fee = { part: percent('5'), fixed: 50n }
const amounts = (sale: Parameters<typeof postSale>[0]) =>
  Object.fromEntries(postSale(sale).map(({ account, amount }) => [account, amount]))

describe('postings', () => {
  it('a sale debits provider_clearing, and credits the tax, the service’s fee, and the merchant’s share', () => {
    expect(amounts({ subtotal: 10_000n, total: 11_900n, fee })).toEqual({
      provider_clearing: 11_900n,
      tax_payable: -1_900n,
      platform_fee: -550n,
      merchant_balance: -9_450n,
    })
  })

  it('the fee on a sale is rounded half away from zero: 5 % of 0.10 is 0.01', () => {
    expect(amounts({ subtotal: 10n, total: 10n, fee: { ...fee, fixed: 0n } }).platform_fee).toBe(-1n)
  })

  it('the fee on a sale is at most the net, and a sale of 0.00 has no entries', () => {
    expect(amounts({ subtotal: 30n, total: 36n, fee })).toEqual({
      provider_clearing: 36n,
      tax_payable: -6n,
      platform_fee: -30n,
    })
    expect(postSale({ subtotal: 0n, total: 0n, fee })).toEqual([])
  })

  it('the entries of a sale sum to zero and debit only the account provider_clearing', () => {
    const cents = fc.bigInt({ min: 0n, max: 10n ** 13n })
    fc.assert(
      fc.property(cents, cents, cents, fc.integer({ min: 0, max: 1_000_000 }), (subtotal, tax, fixed, part) => {
        const entries = postSale({
          subtotal,
          total: subtotal + tax,
          fee: { part: percent(String(part / 10_000)), fixed },
        })
        expect(sum(entries.map(({ amount }) => amount))).toBe(0n)
        for (const { account, amount } of entries) expect(amount > 0n).toBe(account === 'provider_clearing')
      }),
    )
  })
})
