import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testRates } from './currencies.ts'
import {
  allocate,
  divideHalfAwayFromZero,
  formatDecimal,
  formatMoney,
  fraction,
  fromEuros,
  moneyText,
  parseMoney,
  percent,
  roundToTotal,
  sum,
  toEuros,
} from './money.ts'

const minors = fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n })

describe('amounts in requests', () => {
  test.each([
    ['0.00', 0n],
    ['0.01', 1n],
    ['12.34', 1234n],
    ['007.10', 710n],
    ['9999999999999.99', 999999999999999n],
  ])('the amount %s in a request is valid', (text, minor) => {
    expect(parseMoney(text, 'EUR')).toEqual({ minor, currency: 'EUR' })
  })

  test.each([
    '',
    '10',
    '10.',
    '.10',
    '10.0',
    '10.000',
    '1e2',
    '1e2.00',
    '+1.00',
    '-1.00',
    '-0.00',
    ' 1.00',
    '1.00 ',
    '1.00\n',
    '1,00',
    '1.000,00',
    '0x1.00',
    '١.٠٠',
    'NaN',
    '10000000000000.00',
  ])('the amount %j in a request is invalid', (text) => {
    expect(parseMoney(text, 'EUR')).toBeNull()
  })

  test('an amount is written with two decimals and its currency', () => {
    expect(moneyText({ minor: 1234n, currency: 'USD' })).toBe('12.34 USD')
    expect(moneyText({ minor: -5n, currency: 'EUR' })).toBe('-0.05 EUR')
  })

  test('formatting and parsing an amount returns the same amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (minor) => {
        expect(parseMoney(formatMoney({ minor, currency: 'USD' }), 'USD')).toEqual({ minor, currency: 'USD' })
      }),
    )
  })
})

test.each([
  [0n, 2, '0.00'],
  [5n, 2, '0.05'],
  [-5n, 2, '-0.05'],
  [-123456n, 2, '-1234.56'],
  [8257n, 3, '8.257'],
  [12345678901234567890n, 8, '123456789012.34567890'],
])('the integer %s with %s decimals is written as %s', (unscaled, decimals, text) => {
  expect(formatDecimal(unscaled, decimals)).toBe(text)
})

describe('rate tables', () => {
  test('a decimal in a rate table is parsed to an exact fraction', () => {
    expect(fraction('1.0850')).toEqual({ numerator: 10850n, denominator: 10000n })
    expect(percent('9.975')).toEqual({ numerator: 9975n, denominator: 100000n })
    expect(percent('21')).toEqual({ numerator: 21n, denominator: 100n })
  })

  test.each(['', '.5', '5.', '-1', '1e2', '1.2.3'])('%j is refused as a decimal in a rate table', (text) => {
    expect(() => fraction(text)).toThrow(RangeError)
  })
})

describe('division', () => {
  test.each([
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [5n, -2n, -3n],
    [4n, 3n, 1n],
    [-4n, 3n, -1n],
    [1n, 3n, 0n],
    [0n, 7n, 0n],
  ])('divideHalfAwayFromZero() rounds %s / %s to %s', (n, d, rounded) => {
    expect(divideHalfAwayFromZero(n, d)).toBe(rounded)
  })

  test('divideHalfAwayFromZero() rounds to the nearest integer if the quotient is not a half', () => {
    fc.assert(
      fc.property(minors, fc.bigInt({ min: 1n, max: 10n ** 9n }), (n, d) => {
        const twiceTheError = 2n * (divideHalfAwayFromZero(n, d) * d - n)
        expect(n >= 0n ? -d < twiceTheError && twiceTheError <= d : -d <= twiceTheError && twiceTheError < d).toBe(true)
      }),
    )
  })

  test('divideHalfAwayFromZero() throws for a divisor of zero', () => {
    expect(() => divideHalfAwayFromZero(1n, 0n)).toThrow(RangeError)
  })
})

describe('allocation', () => {
  test.each([
    [100n, [1n, 2n, 3n, 7n], [8n, 15n, 23n, 54n]],
    [1000n, [1n, 1n, 1n], [334n, 333n, 333n]],
    [-1000n, [1n, 1n, 1n], [-334n, -333n, -333n]],
    [7n, [0n, 0n], [7n, 0n]],
    [7n, [0n, 3n], [0n, 7n]],
    [0n, [1n, 2n], [0n, 0n]],
    [0n, [], []],
  ])('allocating %s by the weights %o gives %o', (total, weights, parts) => {
    expect(allocate(total, weights)).toEqual(parts)
  })

  test('allocate() returns parts that add up to the total and are within one unit of the exact shares', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 9n }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(minors, weights, (total, weights) => {
        const parts = allocate(total, weights)
        const whole = sum(weights)
        expect(sum(parts)).toBe(total)
        expect(allocate(-total, weights)).toEqual(parts.map((part) => -part))
        if (whole === 0n) return
        for (const [i, weight] of weights.entries()) {
          const error = (parts[i] ?? 0n) * whole - total * weight
          expect(-whole < error && error < whole).toBe(true)
        }
      }),
    )
  })

  test('allocate() throws for a negative weight, and for a nonzero total without weights', () => {
    expect(() => allocate(10n, [2n, -1n])).toThrow(RangeError)
    expect(() => allocate(10n, [])).toThrow(RangeError)
  })
})

describe('rounded shares', () => {
  const shares = fc.array(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), { minLength: 1, maxLength: 60 })

  test('roundToTotal() returns shares that add up to the total, keep their signs, and are within one unit of the exact shares', () => {
    fc.assert(
      fc.property(shares, fc.bigInt({ min: 1n, max: 10n ** 6n }), (numerators, denominator) => {
        const total = divideHalfAwayFromZero(sum(numerators), denominator)
        const parts = roundToTotal(total, numerators, denominator)
        expect(sum(parts)).toBe(total)
        expect(
          roundToTotal(
            -total,
            numerators.map((n) => -n),
            denominator,
          ),
        ).toEqual(parts.map((part) => -part))
        for (const [i, numerator] of numerators.entries()) {
          const part = parts[i] ?? 0n
          const error = part * denominator - numerator
          expect(-denominator < error && error < denominator).toBe(true)
          expect(part * numerator >= 0n).toBe(true)
        }
      }),
    )
  })

  test('roundToTotal() throws for every total that is not the exact sum of the shares, rounded to the nearest integer', () => {
    const denominators = fc.bigInt({ min: 1n, max: 10n ** 6n })
    const distances = fc.bigInt({ min: 1n, max: 60n })
    fc.assert(
      fc.property(shares, denominators, distances, (numerators, denominator, distance) => {
        const whole = sum(numerators)
        const isHalf = (2n * whole) % denominator === 0n && whole % denominator !== 0n
        const up = divideHalfAwayFromZero(whole, denominator)
        const nearest = isHalf ? [up, whole < 0n ? up + 1n : up - 1n] : [up]
        for (const total of nearest) expect(sum(roundToTotal(total, numerators, denominator))).toBe(total)
        for (const total of [up + distance, up - distance].filter((each) => !nearest.includes(each))) {
          expect(() => roundToTotal(total, numerators, denominator)).toThrow(RangeError)
        }
      }),
    )
  })

  test.each<[bigint, readonly bigint[], bigint, readonly bigint[] | null]>([
    [3n, [3n, 3n], 2n, [2n, 1n]],
    [2n, [3n, 3n], 2n, null],
    [4n, [3n, 3n], 2n, null],
    [2n, [3n], 2n, [2n]],
    [1n, [3n], 2n, [1n]],
    [-1n, [-3n], 2n, [-1n]],
    [0n, [3n], 2n, null],
    [4n, [6n], 2n, null],
  ])(
    'roundToTotal() of the total %s and the shares %s / %s returns %s, or throws if the listed result is null',
    (total, numerators, denominator, parts) => {
      const round = () => roundToTotal(total, numerators, denominator)
      if (parts === null) expect(round).toThrow(RangeError)
      else expect(round()).toEqual(parts)
    },
  )
})

test.each([
  [999n, '1.0850', 1084n],
  [1000n, '1.0850', 1085n],
  [-999n, '1.0850', -1084n],
  [10n, '1.05', 11n],
  [-10n, '1.05', -11n],
  [0n, '1.0850', 0n],
  [99999999n, '1', 99999999n],
  [999n, testRates.GBP, 864n],
  [999n, testRates.CHF, 934n],
  [999n, testRates.SEK, 11239n],
  [999n, testRates.NOK, 11738n],
  [999n, testRates.DKK, 7453n],
  [999n, testRates.PLN, 4266n],
  [999n, testRates.CAD, 1508n],
  // Exactly half a cent: 10 cents × 4.25 = 42.5.
  [10n, '4.25', 43n],
  [-10n, '4.25', -43n],
])('%s euro cents at the rate %s are %s minor units', (euro, rate, minor) => {
  expect(fromEuros(euro, rate)).toBe(minor)
})

test.each([
  [1084n, '1.0850', 999n],
  [1n, '2', 1n],
  [-1n, '2', -1n],
  [1n, '11.2500', 0n],
  [0n, '0.8650', 0n],
])('%s minor units at the rate %s are %s euro cents', (minor, rate, euro) => {
  expect(toEuros(minor, rate)).toBe(euro)
})
