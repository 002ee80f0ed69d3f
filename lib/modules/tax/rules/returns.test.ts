import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sum } from '../../../kernel/money.ts'
import { aRegistration } from '../examples.ts'
import {
  declarationOf,
  ossReturn,
  quarterOf,
  salesListOf,
  type TaxDocument,
  taxByCurrency,
  totalsOf,
} from './returns.ts'

const document = (given: Partial<TaxDocument> & { tax?: bigint; rate?: string; name?: string } = {}): TaxDocument => {
  const { tax = 1900n, rate = '19', name = 'VAT', ...rest } = given
  return {
    day: '2026-11-23',
    soldOn: null,
    sellerCountry: 'NL',
    buyerCountry: 'DE',
    postalCode: null,
    taxId: null,
    currency: 'EUR',
    exchangeRate: null,
    subtotal: 10_000n,
    taxes: [{ rate: { name, percentage: rate }, amount: tax }],
    ...rest,
  }
}
const reverseCharged = (given: Partial<TaxDocument> = {}) =>
  document({ tax: 0n, rate: '0', name: 'Reverse charge', taxId: 'DE136695976', ...given })

const german = aRegistration('DE', { from: '2026-11-01', until: '2026-11-30' })
const noRates = (currency: string) => {
  if (currency !== 'EUR') throw new Error('no rate was expected')
  return '1'
}
const oss = (documents: TaxDocument[], quarter = '2026-Q4', rateAtEnd: (of: string, q: string) => string = noRates) =>
  ossReturn(documents, quarter, { registrations: [], rateAtEnd })

describe('declaration', () => {
  it.each([
    ['a consumer in the seller’s country', document({ buyerCountry: 'NL' }), 'domestic', 'NL'],
    ['a consumer in another member state', document(), 'oss', 'DE'],
    ['a consumer in Monaco, which is treated as France', document({ buyerCountry: 'MC' }), 'oss', 'FR'],
    [
      'a consumer in Madeira, which is treated as Portugal',
      document({ buyerCountry: 'PT', postalCode: '9000-001', rate: '22' }),
      'oss',
      'PT',
    ],
    ['a company with a confirmed tax ID', reverseCharged(), 'reverse_charge', 'DE'],
    [
      'a consumer outside the scope of VAT',
      document({ buyerCountry: 'US', name: 'Outside scope', rate: '0', tax: 0n }),
      'outside_scope',
      'US',
    ],
    [
      'a consumer outside the EU where the seller is registered',
      document({ buyerCountry: 'GB', rate: '20' }),
      'local',
      'GB',
    ],
    [
      'a consumer in Réunion, which France taxes outside the One Stop Shop',
      document({ buyerCountry: 'RE', rate: '8.5' }),
      'local',
      'FR',
    ],
  ] as const)('a sale to %s is declared as $2 in the country $3', (_, given, declaration, country) => {
    expect(declarationOf(given, [])).toEqual({ declaration, country })
  })

  it.each([
    ['2026-10-31', null, 'oss'],
    ['2026-11-01', null, 'local'],
    ['2026-11-30', null, 'local'],
    ['2026-12-01', null, 'oss'],
    // The following rows are credit notes, whose declaration depends on the day of the credited sale.
    ['2026-12-15', '2026-11-30', 'local'],
    ['2026-11-15', '2026-10-31', 'oss'],
  ] as const)(
    'with a local registration in November, a document of %s (credited sale: %s) is declared as %s',
    (day, soldOn, declaration) => {
      expect(declarationOf(document({ day, soldOn }), [german]).declaration).toBe(declaration)
    },
  )

  it('a registration in one country does not change the declaration of sales to another country', () => {
    const french = document({ buyerCountry: 'FR', day: '2026-11-15' })
    expect(declarationOf(french, [german])).toEqual({ declaration: 'oss', country: 'FR' })
  })
})

describe('OSS return', () => {
  it('the OSS return has supplies by country and rate, less credit notes of the same quarter', () => {
    const rows = oss([
      document(),
      document({ subtotal: 5_000n, tax: 950n }),
      document({ subtotal: 1_000n, tax: 190n, soldOn: '2026-10-01' }),
      document({ buyerCountry: 'PT', rate: '23', tax: 2300n }),
      document({ buyerCountry: 'PT', postalCode: '9000-001', rate: '22', tax: 2200n }),
      document({ buyerCountry: 'NL' }),
      reverseCharged(),
    ])
    const supply = { record: 'supply', quarter: '2026-Q4' }
    expect(rows).toEqual([
      { ...supply, country: 'DE', rate: '19', taxable: 14_000n, taxAmount: 2660n },
      { ...supply, country: 'PT', rate: '22', taxable: 10_000n, taxAmount: 2200n },
      { ...supply, country: 'PT', rate: '23', taxable: 10_000n, taxAmount: 2300n },
    ])
  })

  it.each([
    ['2026-09-30', 'correction', '2026-Q3'],
    ['2023-10-01', 'correction', '2023-Q4'],
    ['2023-09-30', 'too_late', '2023-Q3'],
  ])(
    'for a credit note for a sale on %s, the OSS return states the tax in a row of the kind %s for the quarter %s',
    (soldOn, record, quarter) => {
      expect(oss([document({ soldOn })])).toEqual([
        { record, quarter, country: 'DE', rate: null, taxable: null, taxAmount: -1900n },
      ])
    },
  )

  it('the OSS return converts the sum of a currency at the exchange rate of the quarter’s last day', () => {
    const dollars = { currency: 'USD', exchangeRate: '1.5' } as const
    const rates: Record<string, string> = { '2026-Q4': '1.2', '2026-Q3': '1.1' }
    const rows = oss(
      [
        document({ ...dollars, subtotal: 2n, tax: 2n }),
        document({ ...dollars, subtotal: 2n, tax: 2n }),
        document({ subtotal: 100n, tax: 19n }),
        document({ ...dollars, subtotal: 110n, tax: 11n, soldOn: '2026-07-01' }),
      ],
      '2026-Q4',
      (currency, quarter) => (currency === 'EUR' ? '1' : (rates[quarter] ?? '')),
    )
    expect(rows.map(({ record, taxable, taxAmount }) => [record, taxable, taxAmount])).toEqual([
      ['correction', null, -10n],
      // Taxable amounts in EUR cents. The two documents in USD have (2 + 2) / 1.2 = 3.33 together, rounded to 3. The
      // document in EUR has 100. A separate conversion would give 2 / 1.2 = 1.67, rounded to 2, for each document in
      // USD.
      ['supply', 103n, 22n],
    ])
  })

  it('the OSS return is empty without supplies', () => {
    expect(oss([document({ buyerCountry: 'NL' })])).toEqual([])
  })
})

describe('EC sales list', () => {
  it('the EC sales list has sales by tax ID, in euros at the exchange rate of the sale, less credit notes', () => {
    const documents = [
      reverseCharged(),
      reverseCharged({ taxId: 'DE 136 695 976', subtotal: 1_100n, currency: 'USD', exchangeRate: '1.1' }),
      reverseCharged({ buyerCountry: 'GR', taxId: 'GR094259216', subtotal: 500n }),
      reverseCharged({ taxId: 'FR40303265045', buyerCountry: 'FR', soldOn: '2026-07-01', subtotal: 300n }),
      reverseCharged({ taxId: 'ATU13585627', buyerCountry: 'AT' }),
      reverseCharged({ taxId: 'ATU13585627', buyerCountry: 'AT', soldOn: '2026-11-22' }),
      document({ taxId: 'DE136695976' }),
      reverseCharged({ taxId: 'GB980780684', buyerCountry: 'GB' }),
    ]
    expect(salesListOf(documents, '2026-Q4', [])).toEqual([
      { period: '2026-Q4', taxId: 'DE136695976', supplied: 11_000n },
      { period: '2026-Q4', taxId: 'EL094259216', supplied: 500n },
      { period: '2026-Q4', taxId: 'FR40303265045', supplied: -300n },
    ])
  })

  it.each([
    ['2027-Q1', '2026-Q4'],
    ['2027-01', '2026-12'],
    ['2027', '2026'],
  ])(
    'if a reverse charge later replaces the tax of a sale in December 2026, the EC sales list of %s corrects the list of %s',
    (period, corrected) => {
      const documents = [
        reverseCharged({ day: '2027-01-15' }),
        reverseCharged({ day: '2027-01-20', suppliedOn: '2026-12-31', subtotal: 700n }),
      ]
      expect(salesListOf(documents, period, [])).toEqual([
        { period: corrected, taxId: 'DE136695976', supplied: 700n },
        { period, taxId: 'DE136695976', supplied: 10_000n },
      ])
    },
  )
})

describe('totals', () => {
  it('the tax totals have a separate row for each tax of a document with two taxes', () => {
    const taxes = [
      { rate: { name: 'GST', percentage: '5' }, amount: 500n },
      { rate: { name: 'QST', percentage: '9.975' }, amount: 998n },
    ]
    const rows = totalsOf([document({ buyerCountry: 'CA', taxes }), document()], [])
    const common = { country: 'CA', declaration: 'local', currency: 'EUR', documents: 1, taxable: 10_000n }
    expect(rows).toEqual([
      { ...common, tax: 'GST', rate: '5', taxAmount: 500n },
      { ...common, tax: 'QST', rate: '9.975', taxAmount: 998n },
      { ...common, country: 'DE', declaration: 'oss', tax: 'VAT', rate: '19', taxAmount: 1900n },
    ])
    expect(taxByCurrency(rows)).toEqual(new Map([['EUR', 3398n]]))
  })

  it('the tax totals and the OSS return contain every cent of tax of the documents in euros', () => {
    const anyDocument = fc.record({
      buyerCountry: fc.constantFrom('DE', 'FR', 'MC', 'PT', 'GR'),
      postalCode: fc.constantFrom(null, '9000-001'),
      soldOn: fc.constantFrom(null, '2026-10-02', '2026-05-05', '2020-01-01'),
      subtotal: fc.bigInt(1n, 10_000_000n),
      tax: fc.bigInt(0n, 2_000_000n),
      rate: fc.constantFrom('19', '20', '22'),
    })
    fc.assert(
      fc.property(fc.array(anyDocument, { maxLength: 40 }), (given) => {
        const documents = given.map((each) => document(each))
        const net = sum(given.map(({ soldOn, tax }) => (soldOn === null ? tax : -tax)))
        expect(sum(oss(documents).map(({ taxAmount }) => taxAmount))).toBe(net)
        expect(taxByCurrency(totalsOf(documents, [])).get('EUR') ?? 0n).toBe(net)
      }),
    )
  })
})

it.each([
  ['2026-01-01', '2026-Q1'],
  ['2026-03-31', '2026-Q1'],
  ['2026-04-01', '2026-Q2'],
  ['2026-12-31', '2026-Q4'],
])('the day %s is in the quarter %s', (day, quarter) => {
  expect(quarterOf(day)).toBe(quarter)
})
