import { expect, it } from 'vitest'
import { sourceOfRate } from './rate-source.ts'

const on = new Date('2026-11-23T12:00:00Z')
const vat = (percentage: string) => ({ name: 'VAT', percentage })

it.each([
  [vat('19'), 'DE', null, '2024-01-01', /TEDB/],
  [vat('24'), 'EE', null, '2025-07-01', /TEDB/],
  [vat('22'), 'PT', '9000-001', null, /TEDB/],
  [vat('8.5'), 'FR', '97110', null, /Code général/],
  [vat('8.1'), 'LI', null, '2024-01-01', /TEDB/],
  [{ name: 'GST', percentage: '5' }, 'CA', null, '2024-01-01', /Revenue Agency/],
  [{ name: 'QST', percentage: '9.975' }, 'CA', 'H2X 1Y4', null, /Revenu Québec/],
  [{ name: 'Reverse charge', percentage: '0' }, 'DE', null, null, /No tax/],
  [{ name: 'Outside scope', percentage: '0' }, 'US', null, null, /No tax/],
])(
  'the source of the rate %j in %s (postal code %s) states that the rate applies from %s',
  (rate, country, postalCode, since, source) => {
    const found = sourceOfRate(rate, { country, postalCode, on })
    expect(found.since).toBe(since)
    expect(found.source).toMatch(source)
  },
)
