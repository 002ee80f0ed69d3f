import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sum } from '../../../kernel/money.ts'
import { feeOf, neededFor, postFailed, postProcessing, postRefunded } from './refund.ts'

const moved = (entries: { account: string; amount: bigint }[]) =>
  Object.fromEntries(entries.map(({ account, amount }) => [account, amount]))

describe('postings', () => {
  const refund = { subtotal: 10_000n, total: 12_100n, feeReturned: 550n }

  it('a refund debits the merchant with the net less the service’s fee, and the credit note reverses the tax', () => {
    expect(moved(postProcessing(refund))).toEqual({ merchant_balance: 9_450n, platform_fee: 550n, refunds: -10_000n })
    expect(moved(postRefunded(refund))).toEqual({ refunds: 10_000n, tax_payable: 2_100n, provider_clearing: -12_100n })
    expect(neededFor(refund)).toBe(9_450n)
  })

  it('a failed refund restores the balance of each account', () => {
    expect(moved(postFailed(refund))).toEqual({ merchant_balance: -9_450n, platform_fee: -550n, refunds: 10_000n })
  })

  it('if the returned fee equals the net of a refund, the refund posts no entry for the merchant', () => {
    const plain = { subtotal: 30n, total: 30n, feeReturned: 30n }
    expect(moved(postProcessing(plain))).toEqual({ platform_fee: 30n, refunds: -30n })
  })
})

describe('returned fee', () => {
  it('a refund of half of a sale returns half of the service’s fee', () => {
    expect(feeOf({ subtotal: 5_000n }, { subtotal: 10_000n, fee: 550n }, { subtotal: 0n, feeReturned: 0n })).toBe(275n)
  })

  it('partial refunds of a sale return the service’s fee, less at most one cent per failed refund', () => {
    const parts = fc.array(fc.record({ weight: fc.bigInt({ min: 1n, max: 500n }), fails: fc.boolean() }), {
      minLength: 1,
    })
    fc.assert(
      fc.property(parts, fc.bigInt({ min: 0n, max: 100n }), (parts, hundredths) => {
        const subtotal = sum(parts.map(({ weight }) => weight))
        const fee = (subtotal * hundredths) / 100n
        const before = { subtotal: 0n, feeReturned: 0n }
        const send = (part: { weight: bigint }) => {
          const feeReturned = feeOf({ subtotal: part.weight }, { subtotal, fee }, before)
          expect(feeReturned >= 0n && feeReturned <= part.weight).toBe(true)
          before.subtotal += part.weight
          before.feeReturned += feeReturned
          return feeReturned
        }
        const failing = parts.map((part) => ({ part, feeReturned: send(part) })).filter(({ part }) => part.fails)
        for (const { part, feeReturned } of failing) {
          before.subtotal -= part.weight
          before.feeReturned -= feeReturned
        }
        for (const { part } of failing) send(part)
        expect(before.subtotal).toBe(subtotal)
        // Each failed refund can leave one cent of the fee with the service.
        expect(before.feeReturned <= fee && before.feeReturned >= fee - BigInt(failing.length)).toBe(true)
      }),
    )
  })

  it('a further refund after a failed refund never returns a negative fee', () => {
    expect(feeOf({ subtotal: 1n }, { subtotal: 300n, fee: 1n }, { subtotal: 100n, feeReturned: 1n })).toBe(0n)
  })
})
