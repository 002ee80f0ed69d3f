import { expect, it } from 'vitest'
import { canadianRates } from './canada.ts'
import type { Registration } from './registration.ts'

const registered = (...regions: string[]) =>
  regions.map((region): Registration => {
    return { id: region, country: 'CA', region, number: '1', scheme: 'local', from: '2024-01-01', until: null }
  })

it.each([
  ['A1A 1A1', 'HST 15'],
  ['B3H 1A1', 'HST 14'],
  ['C1A 1A1', 'HST 15'],
  ['E1A 1A1', 'HST 15'],
  ['H2X 1Y4', 'GST 5, QST 9.975'],
  ['M5V 2T6', 'HST 13'],
  ['R3C 0A1', 'GST 5, RST 7'],
  ['S4P 0A1', 'GST 5, PST 6'],
  ['T2P 1J9', 'GST 5'],
  ['V5K 0A1', 'GST 5, PST 7'],
  ['X1A 0A1', 'GST 5'],
  ['Y1A 0A1', 'GST 5'],
  ['10115', 'GST 5'],
  [null, 'GST 5'],
])(
  'a seller with all Canadian registrations collects from a buyer with the postal code %s: %s',
  (postalCode, expected) => {
    const registrations = registered('', 'BC', 'MB', 'QC', 'SK')
    const rates = canadianRates({ registrations, isAtHome: false }, postalCode, '2026-11-23')
    expect(rates.map(({ name, percentage }) => `${name} ${percentage}`).join(', ')).toBe(expected)
  },
)

it('the HST of Nova Scotia is 14 % from April 2025 and 15 % before', () => {
  const on = (day: string) => canadianRates({ registrations: registered(''), isAtHome: false }, 'B3H 1A1', day)
  expect([on('2025-03-31'), on('2025-04-01')]).toMatchObject([[{ percentage: '15' }], [{ percentage: '14' }]])
})

it('a Canadian seller without registrations collects only the federal tax', () => {
  expect(canadianRates({ registrations: [], isAtHome: true }, 'H2X 1Y4', '2026-11-23')).toMatchObject([{ name: 'GST' }])
  expect(canadianRates({ registrations: [], isAtHome: false }, 'H2X 1Y4', '2026-11-23')).toEqual([])
})
