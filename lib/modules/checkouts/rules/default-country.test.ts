import { expect, it } from 'vitest'
import { defaultCountry } from './default-country.ts'

it.each([
  ['sv-SE,sv;q=0.9,en-US;q=0.8,en;q=0.7', 'SE'],
  ['da-DK,da;q=0.9,en-US;q=0.8,en;q=0.7', 'DK'],
  ['cs-CZ,cs;q=0.9,en;q=0.8', 'CZ'],
  ['fi-FI,fi;q=0.8,en-US;q=0.5,en;q=0.3', 'FI'],
  ['ja,en-US;q=0.9,en;q=0.8', ''],
  ['ja-JP,ja;q=0.9,en-US;q=0.8', 'JP'],
  ['de-DE,de;q=0.9,en-US;q=0.8', 'DE'],
  ['de,en-US;q=0.7,en;q=0.3', ''],
  ['en-US,en;q=0.9', 'US'],
  ['en-GB', 'GB'],
  ['sv-SE', 'SE'],
  ['de-AT', 'AT'],
  ['fr-CH, fr;q=0.9', 'CH'],
  ['zh-Hant-TW', 'TW'],
  ['sr-Latn-RS', 'RS'],
  ['pt-br', 'BR'],
  ['sv,sv-FI;q=0.9,en-US;q=0.8', 'FI'],
  ['en;q=0.1, nl-BE;q=0.7', 'BE'],
  ['es-419', ''],
  ['en-EU', ''],
  ['ja', ''],
  ['de', ''],
  ['*', ''],
  ['*;q=0.1, sv-SE;q=0.05', 'SE'],
  ['sv-SE;q=0', ''],
  ['\u0000<script>', ''],
  ['', ''],
  [null, ''],
])('the request language %j preselects the country %j', (header, country) => {
  expect(defaultCountry(header)).toBe(country)
})
