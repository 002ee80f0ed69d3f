import { describe, expect, it } from 'vitest'
import { leftOfRow, merchantReport, reportTotals, type TaxSum } from './merchant-report.ts'

const vat = (percentage: string) => ({ name: 'VAT', percentage })
const sum = (over: Partial<TaxSum>): TaxSum => ({
  isCredited: false,
  sellerCountry: 'NL',
  buyerCountry: 'DE',
  postalCode: null,
  currency: 'EUR',
  rates: [vat('19')],
  documents: 1,
  net: 10_000n,
  tax: 1_900n,
  ...over,
})

describe('tax report', () => {
  it('the tax report has one row for each country and rate, with sales, credit notes, and their difference', () => {
    const rows = merchantReport([
      sum({}),
      sum({ documents: 2, net: 5_000n, tax: 950n }),
      sum({ isCredited: true, net: 1_000n, tax: 190n }),
    ])
    expect(rows).toEqual([
      {
        kind: 'abroad',
        country: 'DE',
        rates: [vat('19')],
        currency: 'EUR',
        sales: { documents: 3, net: 15_000n, tax: 2_850n },
        credited: { documents: 1, net: 1_000n, tax: 190n },
      },
    ])
    expect(rows.map(leftOfRow)).toEqual([{ documents: 4, net: 14_000n, tax: 2_660n }])
  })

  it('the tax report has separate rows for countries, rates, currencies, and reverse charges', () => {
    const reverse = [{ name: 'Reverse charge', percentage: '0' }]
    const rows = merchantReport([
      sum({ currency: 'USD', buyerCountry: 'US', rates: [{ name: 'Outside scope', percentage: '0' }], tax: 0n }),
      sum({ rates: reverse, tax: 0n }),
      sum({}),
      sum({ rates: [vat('7')], tax: 700n }),
      sum({ buyerCountry: 'NL', rates: [vat('21')], tax: 2_100n }),
    ])
    expect(rows.map(({ currency, country, kind, rates }) => [currency, country, kind, rates[0]?.percentage])).toEqual([
      ['EUR', 'DE', 'abroad', '19'],
      ['EUR', 'DE', 'abroad', '7'],
      ['EUR', 'DE', 'reverse_charge', '0'],
      ['EUR', 'NL', 'domestic', '21'],
      ['USD', 'US', 'outside_scope', '0'],
    ])
    expect(reportTotals(rows).map(({ currency, sales }) => [currency, sales])).toEqual([
      ['EUR', { documents: 4, net: 40_000n, tax: 4_700n }],
      ['USD', { documents: 1, net: 10_000n, tax: 0n }],
    ])
    expect(reportTotals([])).toEqual([])
  })

  it('in the tax report, a sale with two taxes has one row, in which net plus tax equals gross', () => {
    const rates = [
      { name: 'GST', percentage: '5' },
      { name: 'QST', percentage: '9.975' },
    ]
    const [row] = merchantReport([sum({ buyerCountry: 'CA', currency: 'CAD', rates, tax: 1_498n })])
    expect(row).toMatchObject({ rates, sales: { net: 10_000n, tax: 1_498n } })
  })
})
