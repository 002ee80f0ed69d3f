import { describe, expect, it } from 'vitest'
import { percent } from '../../../kernel/money.ts'
import { monthlyRecurring, perMonth } from './recurring.ts'

describe('monthly amounts of recurring prices', () => {
  it.each([
    [1000n, 'month', 1, 1000n],
    [12000n, 'year', 1, 1000n],
    [1000n, 'year', 1, 83n],
    [3000n, 'month', 3, 1000n],
    [1000n, 'month', 3, 333n],
    [2000n, 'month', 3, 667n],
    [1200n, 'week', 1, 5214n],
    [1200n, 'week', 2, 2607n],
    [1200n, 'day', 7, 5214n],
    [100n, 'day', 1, 3042n],
    [18n, 'month', 12, 2n],
    [0n, 'day', 1, 0n],
  ] as const)('the monthly amount of %s per %s × %s is %s', (amount, interval, intervalCount, expected) => {
    expect(perMonth(amount, { interval, intervalCount })).toBe(expected)
  })

  it.each([
    [1210n, 'month', 1, '21', 1000n],
    [2999n, 'month', 1, '21', 2479n],
    [14520n, 'year', 1, '21', 1000n],
    [11498n, 'month', 1, '14.975', 10000n],
    [100n, 'day', 7, '19', 365n],
    [1000n, 'month', 1, '0', 1000n],
  ] as const)(
    'the monthly amount of %s per %s × %s including %s %% tax is %s',
    (amount, interval, intervalCount, tax, expected) => {
      expect(perMonth(amount, { interval, intervalCount }, percent(tax))).toBe(expected)
    },
  )
})

describe('monthly recurring revenue', () => {
  const group = (status: 'active' | 'trial' | 'paused', currency: 'EUR' | 'USD', amount: bigint) =>
    ({ status, currency, amount, every: { interval: 'year', intervalCount: 1 } }) as const

  it('monthly recurring revenue sums the renewals of active subscriptions by currency', () => {
    const groups = [group('active', 'EUR', 12000n), group('active', 'USD', 2400n), group('active', 'EUR', 1200n)]
    expect(monthlyRecurring(groups)).toEqual([
      { minor: 1100n, currency: 'EUR' },
      { minor: 200n, currency: 'USD' },
    ])
  })

  it('monthly recurring revenue excludes trials and pauses', () => {
    expect(monthlyRecurring([group('trial', 'EUR', 12000n), group('paused', 'EUR', 12000n)])).toEqual([])
  })
})
