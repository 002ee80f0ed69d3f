import { expect, test } from 'vitest'
import { countries, isCountry } from './countries.ts'
import { locales } from './locale.ts'

test('the list of countries has 249 sorted codes, each with a name in every supported language', () => {
  expect(countries).toHaveLength(249)
  expect([...new Set(countries)].sort()).toEqual(countries)
  for (const locale of locales) {
    const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
    expect(countries.filter((code) => names.of(code) === undefined)).toEqual([])
  }
})

test.each(['NL', 'GR', 'GB', 'US', 'MC', 'AX', 'SS'])('%s is a valid country code', (code) => {
  expect(isCountry(code)).toBe(true)
})

test.each(['', 'nl', 'NLD', 'XK', 'XI', 'EL', 'UK', 'EU', 'AN', 'CS', 'ZZ', 'constructor'])(
  '%j is not a valid country code',
  (code) => {
    expect(isCountry(code)).toBe(false)
  },
)
