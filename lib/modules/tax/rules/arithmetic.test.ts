import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divideHalfAwayFromZero, fraction, percent, sum } from '../../../kernel/money.ts'
import { computeTax, type TaxableLine, type TaxBehavior, type TaxedOrder } from './arithmetic.ts'

const vat = (percentage: string) => [{ name: 'VAT', percentage }]
const canada = [
  { name: 'GST', percentage: '5' },
  { name: 'QST', percentage: '9.975' },
]
const line = (unitPrice: bigint, quantity = 1): TaxableLine => ({ unitPrice, quantity })
const amounts = (order: TaxedOrder) => order.taxSummary.map((tax) => tax.amount)

describe('one line', () => {
  const table: [string, bigint, TaxBehavior, typeof canada, subtotal: bigint, taxes: bigint[], total: bigint][] = [
    ['10.00 plus 21 %', 1000n, 'exclusive', vat('21'), 1000n, [210n], 1210n],
    ['12.00 with 20 % included', 1200n, 'inclusive', vat('20'), 1000n, [200n], 1200n],
    ['10.00 plus 20 %', 1000n, 'exclusive', vat('20'), 1000n, [200n], 1200n],
    ['9.99 with 19 % included', 999n, 'inclusive', vat('19'), 839n, [160n], 999n],
    ['1.00 with 8.1 % included', 100n, 'inclusive', vat('8.1'), 93n, [7n], 100n],
    ['100.00 plus two Canadian taxes', 10000n, 'exclusive', canada, 10000n, [500n, 998n], 11498n],
    ['114.98 with two Canadian taxes included', 11498n, 'inclusive', canada, 10000n, [500n, 998n], 11498n],
    ['19.99 plus two Canadian taxes', 1999n, 'exclusive', canada, 1999n, [100n, 199n], 2298n],
    ['0.50 plus 21 %', 50n, 'exclusive', vat('21'), 50n, [11n], 61n],
    ['a credit of 0.50 plus 21 %', -50n, 'exclusive', vat('21'), -50n, [-11n], -61n],
    ['one cent with 27 % included', 1n, 'inclusive', vat('27'), 1n, [0n], 1n],
    ['0.00 with 21 % included', 0n, 'inclusive', vat('21'), 0n, [0n], 0n],
    ['a line of zero plus 21 %', 0n, 'exclusive', vat('21'), 0n, [0n], 0n],
    ['a line of zero in Canada', 0n, 'exclusive', canada, 0n, [0n], 0n],
    ['one cent in Canada', 1n, 'exclusive', canada, 1n, [0n, 0n], 1n],
    ['29.99 with tax', 2999n, 'inclusive', vat('21'), 2479n, [520n], 2999n],
    ['a credit with tax', -2999n, 'inclusive', vat('21'), -2479n, [-520n], -2999n],
  ]
  test.each(table)(
    'the tax of one line of %s is $5 minor units',
    (_, unitPrice, behavior, rates, subtotal, taxes, total) => {
      const order = computeTax({ behavior, rates, lines: [line(unitPrice)] })
      expect(order).toMatchObject({ subtotal, total })
      expect(amounts(order)).toEqual(taxes)
      expect(order.lines[0]).toMatchObject({ subtotal, taxes: order.taxSummary, total })
    },
  )

  test('a reverse charge does not change an inclusive price', () => {
    const rates = [{ name: 'Reverse charge', percentage: '0' }]
    const order = computeTax({ behavior: 'inclusive', rates, lines: [line(2999n)] })
    expect(order).toMatchObject({ subtotal: 2999n, taxSummary: [{ amount: 0n }], total: 2999n })
  })
})

describe('several lines', () => {
  test('the tax is computed on the sum of three lines (0.32), not on each line (0.33)', () => {
    const order = computeTax({ behavior: 'exclusive', rates: vat('21'), lines: [line(50n), line(50n), line(50n)] })
    expect(amounts(order)).toEqual([32n])
    expect(order.lines.map((each) => each.total)).toEqual([61n, 61n, 60n])
  })

  test('a credit reduces the tax of the charges on the same document', () => {
    const lines = [line(40000n, 7), line(-50000n, 3), line(2500n)]
    const order = computeTax({ behavior: 'exclusive', rates: vat('25'), lines })
    expect(order).toMatchObject({ subtotal: 132500n, total: 165625n })
    expect(amounts(order)).toEqual([33125n])
  })

  test('a tax of 25 % on 5000.00 is 1250.00, and an exempt sale of 2000.00 adds no tax', () => {
    const lines = [line(400000n), line(90000n), line(20000n), line(-10000n)]
    const taxed = computeTax({ behavior: 'exclusive', rates: vat('25'), lines })
    const exempt = computeTax({ behavior: 'exclusive', rates: vat('0'), lines: [line(200000n)] })
    expect(amounts(taxed)).toEqual([125000n])
    expect(taxed.subtotal + exempt.subtotal).toBe(700000n)
    expect(taxed.total + exempt.total).toBe(825000n)
  })

  test('the tax is exactly zero if the amounts of the lines sum to zero', () => {
    const lines = [line(72081n), line(1n), line(-72081n), line(-1n)]
    for (const behavior of ['exclusive', 'inclusive'] as const) {
      const order = computeTax({ behavior, rates: vat('21'), lines })
      expect(order).toMatchObject({ subtotal: 0n, total: 0n, taxSummary: [{ amount: 0n }] })
    }
  })

  test('the taxes of one hundred one-cent lines in Canada sum to the exact total, and no subtotal is negative', () => {
    const order = computeTax({
      behavior: 'inclusive',
      rates: canada,
      lines: Array.from({ length: 100 }, () => line(1n)),
    })
    expect(order.subtotal).toBe(87n)
    expect(amounts(order)).toEqual([4n, 9n])
    expect(order.lines.every((each) => each.subtotal >= 0n && each.total === 1n)).toBe(true)
  })

  test('a line with the amount zero has one tax, even if other lines have two taxes', () => {
    const order = computeTax({ behavior: 'exclusive', rates: canada, lines: [line(0n), line(10000n)] })
    expect(order.lines.map((each) => each.taxes.map((tax) => tax.amount))).toEqual([[0n], [500n, 998n]])
    expect(amounts(order)).toEqual([500n, 998n])
  })

  test('a taxed line preserves the other fields of the input line', () => {
    const lines = [{ ...line(100n), description: 'Seats' }]
    expect(computeTax({ behavior: 'exclusive', rates: vat('21'), lines }).lines[0]?.description).toBe('Seats')
  })
})

describe('unit price before tax', () => {
  test.each([
    ['three units at 9.99 with 21 % included', 999n, 3, '21', '8.257', 2477n],
    ['a price that is exact in cents', 2999n, 1, '21', '24.79', 2479n],
    ['ten units at an exact price', 1210n, 10, '21', '10.00', 10000n],
    ['a thousand seats', 999n, 1000, '21', '8.2562', 825620n],
    ['the largest quantity', 999n, 999_999, '21', '8.25619835', 825619009n],
    ['a credit', -999n, 3, '21', '-8.257', -2477n],
  ])('the unit price before tax of %s is $4', (_, unitPrice, quantity, percentage, basePrice, subtotal) => {
    const order = computeTax({ behavior: 'inclusive', rates: vat(percentage), lines: [line(unitPrice, quantity)] })
    expect(order.lines[0]).toMatchObject({ basePrice, subtotal })
  })

  test('with exclusive tax, the unit price before tax is the catalog price', () => {
    const order = computeTax({ behavior: 'exclusive', rates: vat('21'), lines: [line(999n, 3)] })
    expect(order.lines[0]).toMatchObject({ basePrice: '9.99', subtotal: 2997n })
  })
})

describe('any sale', () => {
  const rates = fc.constantFrom(...['0', '4.5', '8.1', '17', '19', '20', '21', '25.5', '27'].map(vat), canada)
  const lines = fc.array(
    fc.record({
      unitPrice: fc.bigInt({ min: -99_999_999n, max: 99_999_999n }),
      quantity: fc.integer({ min: 1, max: 999_999 }),
    }),
    { minLength: 1, maxLength: 50 },
  )
  const smallLines = fc.array(
    fc.record({ unitPrice: fc.bigInt({ min: -20n, max: 20n }), quantity: fc.integer({ min: 1, max: 3 }) }),
    { minLength: 1, maxLength: 50 },
  )
  const orders = fc.record({
    behavior: fc.constantFrom<TaxBehavior>('exclusive', 'inclusive'),
    rates,
    lines: fc.oneof(lines, smallLines),
  })
  const gross = ({ unitPrice, quantity }: TaxableLine) => unitPrice * BigInt(quantity)

  test('the lines and taxes of any order sum to its totals', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const taxed = computeTax(order)
        expect(taxed.total).toBe(taxed.subtotal + sum(amounts(taxed)))
        expect(taxed.subtotal).toBe(sum(taxed.lines.map((each) => each.subtotal)))
        expect(taxed.total).toBe(sum(taxed.lines.map((each) => each.total)))
        for (const each of taxed.lines)
          expect(each.total).toBe(each.subtotal + sum(each.taxes.map((tax) => tax.amount)))
        for (const { rate, amount } of taxed.taxSummary) {
          const ofRate = taxed.lines.flatMap((each) => each.taxes).filter((tax) => tax.rate === rate)
          expect(sum(ofRate.map((tax) => tax.amount))).toBe(amount)
        }
      }),
    )
  })

  test('catalog prices without tax sum to the net of an order, and catalog prices with tax sum to the gross of an order', () => {
    fc.assert(
      fc.property(orders, (order) => {
        for (const each of computeTax(order).lines) {
          expect(order.behavior === 'exclusive' ? each.subtotal : each.total).toBe(gross(each))
        }
      }),
    )
  })

  test('the tax of any order is computed on the sum of its lines', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const taxed = computeTax(order)
        const whole = sum(order.lines.map(gross))
        if (order.behavior === 'exclusive') {
          const expected = order.rates
            .map(({ percentage }) => percent(percentage))
            .map((rate) => divideHalfAwayFromZero(whole * rate.numerator, rate.denominator))
          expect(order.rates.map((rate) => taxed.taxSummary.find((tax) => tax.rate === rate)?.amount ?? 0n)).toEqual(
            expected,
          )
        } else {
          const parts = sum(order.rates.map(({ percentage }) => BigInt(Math.round(Number(percentage) * 1000))))
          expect(taxed.subtotal).toBe(divideHalfAwayFromZero(whole * 100_000n, 100_000n + parts))
        }
      }),
    )
  })

  test('the tax of a line differs from its exact tax by less than one cent per rate and has the same sign', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const scale = 100_000n
        const parts = sum(order.rates.map(({ percentage }) => BigInt(Math.round(Number(percentage) * 1000))))
        const base = order.behavior === 'exclusive' ? scale : scale + parts
        const cents = order.behavior === 'exclusive' ? BigInt(order.rates.length) : 1n
        for (const each of computeTax(order).lines) {
          const error = sum(each.taxes.map((tax) => tax.amount)) * base - gross(each) * parts
          expect(-cents * base < error && error < cents * base).toBe(true)
          for (const tax of each.taxes) expect(tax.amount * gross(each) >= 0n).toBe(true)
          expect(each.subtotal * gross(each) >= 0n).toBe(true)
        }
      }),
    )
  })

  test('the amounts of a credit are the negative amounts of its charge', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const charge = computeTax(order)
        const credit = computeTax({
          ...order,
          lines: order.lines.map((each) => ({ ...each, unitPrice: -each.unitPrice })),
        })
        expect(credit.total).toBe(-charge.total)
        expect(credit.lines.map((each) => each.subtotal)).toEqual(charge.lines.map((each) => -each.subtotal))
        expect(amounts(credit)).toEqual(amounts(charge).map((amount) => -amount))
      }),
    )
  })

  test('the unit price has the fewest decimals at which unit price times quantity equals the subtotal', () => {
    const timesQuantity = (basePrice: string, quantity: number) => {
      const { numerator, denominator } = fraction(basePrice.replace('-', ''))
      const cents = divideHalfAwayFromZero(numerator * BigInt(quantity) * 100n, denominator)
      return basePrice.startsWith('-') ? -cents : cents
    }
    fc.assert(
      fc.property(orders, (order) => {
        for (const { basePrice, quantity, subtotal } of computeTax(order).lines) {
          const decimals = basePrice.length - basePrice.indexOf('.') - 1
          expect(decimals >= 2 && decimals <= 8).toBe(true)
          expect(timesQuantity(basePrice, quantity)).toBe(subtotal)
          if (decimals === 2) continue
          const shorter = 10n ** BigInt(decimals - 3) // A price with one decimal fewer is n / `shorter` cents.
          const nearest = divideHalfAwayFromZero(subtotal * shorter, BigInt(quantity))
          for (const unit of [nearest - 1n, nearest, nearest + 1n]) {
            expect(divideHalfAwayFromZero(unit * BigInt(quantity), shorter)).not.toBe(subtotal)
          }
        }
      }),
    )
  })
})
