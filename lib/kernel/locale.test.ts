import { expect, test } from 'vitest'
import { foldLocale, languageRanges, locales, negotiateLocale } from './locale.ts'

test.each([
  ['DE', 'de'],
  ['deu', 'de'],
  ['de_DE.UTF-8@euro', 'de'],
  ['de_DE@euro', 'de'],
  ['de_AT', 'de'],
  ['fr-CH', 'fr'],
  ['pt_BR', 'pt'],
  ['es-419', 'es'],
  ['de-DE-u-co-phonebk', 'de'],
  ['nl-Latn-BE', 'nl'],
  ['en_US.UTF-8', 'en'],
  ['it', 'it'],
  ['pl-PL', 'pl'],
])('the locale %s maps to the supported language %s', (input, language) => {
  expect(foldLocale(input)).toBe(language)
})

test('every supported language maps to itself', () => {
  expect(locales.map(foldLocale)).toEqual(locales)
})

test.each([
  '',
  'C',
  'POSIX',
  'x-de',
  'i-default',
  'de-',
  '_de',
  ' de',
  'de ',
  'xx',
  'ja',
  'und',
  'de-DE-',
  '*',
  'd',
  'de\u0000',
  '.de',
])('%j is not a supported language', (input) => {
  expect(foldLocale(input)).toBeNull()
})

test.each([
  ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
  ['en;q=0,de', 'de'],
  ['ja,en-US;q=0.7', 'en'],
  ['zh-CN', 'en'],
  ['DE-de', 'de'],
  ['nb-NO,da;q=0.9,es;q=0.1', 'es'],
  ['en;q=0.5, pl;q=0.7', 'pl'],
  ['it ; Q=0.2 , nl ; q=0.3', 'nl'],
  ['pt,de', 'pt'],
  ['es;q=banana,it;q=0.1', 'it'],
  ['de;q=0', 'en'],
  ['*', 'en'],
  ['*,fr;q=0.1', 'fr'],
  ['', 'en'],
  [',;=,,', 'en'],
  ['\u0000<script>', 'en'],
  [null, 'en'],
])('Accept-Language %j selects %s', (header, language) => {
  expect(negotiateLocale(header)).toBe(language)
})

test.each([
  ['sv-SE,sv;q=0.9,en-US;q=0.8', ['sv-SE', 'sv', 'en-US']],
  ['en;q=0.5, pl;q=0.7', ['pl', 'en']],
  ['de;q=0, *;q=0.1, fr;q=banana', ['*']],
  [',;=,,', []],
  [null, []],
])('Accept-Language %j has the language ranges %j, in order of preference', (header, tags) => {
  expect(languageRanges(header)).toEqual(tags)
})
