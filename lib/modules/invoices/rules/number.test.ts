import { describe, expect, it } from 'vitest'
import { creditNoteSeries, invoiceNumber, salesSeries } from './number.ts'

const test = { storefrontId: 'storefront_a', testmode: true }
const live = { storefrontId: 'storefront_a', testmode: false }
const moment = new Date('2026-11-20T10:00:00Z')

describe('invoice numbers', () => {
  it.each([
    [test, 1n, 'TEST-INV-2026-000001'],
    [live, 1n, 'INV-2026-000001'],
    [live, 999_999n, 'INV-2026-999999'],
    [live, 1_000_000n, 'INV-2026-1000000'],
  ])('for the tenant %o, invoice number %s is written as %s', (tenant, n, expected) => {
    expect(invoiceNumber(salesSeries(tenant, moment), n)).toBe(expected)
  })

  it('credit notes have a separate number series', () => {
    expect(invoiceNumber(creditNoteSeries(test, moment), 1n)).toBe('TEST-CN-2026-000001')
    expect(invoiceNumber(creditNoteSeries(live, moment), 7n)).toBe('CN-2026-000007')
  })

  it('each storefront has its own number series in test mode, and the seller has one series in live mode', () => {
    const other = { storefrontId: 'storefront_b' }
    expect(salesSeries(test, moment)).not.toEqual(salesSeries({ ...test, ...other }, moment))
    expect(salesSeries(live, moment)).toEqual(salesSeries({ ...live, ...other }, moment))
  })

  it('invoice numbers restart each year, and the year is the UTC year of the payment, regardless of the server’s time zone', () => {
    expect(salesSeries(live, new Date('2026-12-31T23:59:59Z')).name).toBe('INV-2026')
    expect(salesSeries(live, new Date('2027-01-01T00:00:00Z')).name).toBe('INV-2027')
  })
})
