import { getCountrySpecifications } from 'ibantools'
import { describe, expect, it } from 'vitest'
import {
  bicOf,
  creditorIdOf,
  exampleCreditorId,
  ibanOf,
  mandateReference,
  maskedIban,
  refusedSepaCharacter,
  sepaCountries,
  sepaText,
} from './sepa.ts'

describe('creditor identifiers', () => {
  it.each([
    [exampleCreditorId, exampleCreditorId],
    [' de98 zzz 0999 9999 999 ', exampleCreditorId],
    ['DE98ABC09999999999', 'DE98ABC09999999999'],
    ['FR72ZZZ123456', 'FR72ZZZ123456'],
  ])('the creditor identifier %j is stored as %j', (text, id) => {
    expect(creditorIdOf(text)).toBe(id)
  })

  it.each([
    '',
    'DE',
    'DE97ZZZ09999999999',
    'DE98ZZZ09999999998',
    'NL98ZZZ09999999999',
    'DE98ZZZ',
    `DE98ZZZ${'0'.repeat(29)}`,
  ])('%j is not a valid creditor identifier', (text) => {
    expect(creditorIdOf(text)).toBeNull()
  })
})

describe('mandate references', () => {
  const ids = ['mandate_0oTXEeyj6LUgEUX5Fu7iqJ', 'mandate_0oTXEeyj6LUgEUX5Fu7iqj', `mandate_${'z'.repeat(22)}`]
  it.each(ids)('the mandate reference of %s has at most 35 capital letters and digits', (id) => {
    expect(mandateReference(id)).toMatch(/^M[0-9A-Z]{1,34}$/)
  })

  it('different mandates have different references, even if letter case is ignored', () => {
    expect(new Set(ids.map((id) => mandateReference(id).toLowerCase())).size).toBe(ids.length)
    expect(mandateReference('mandate_000000000000000000000A')).toBe('MA')
    expect(mandateReference('mandate_000000000000000000000z')).toBe('M1P')
  })
})

describe('IBANs', () => {
  it.each([
    ['NL91 ABNA 0417 1643 00', 'NL91ABNA0417164300'],
    ['de89370400440532013000', 'DE89370400440532013000'],
    ['FR14 2004 1010 0505 0001 3M02 606', 'FR1420041010050500013M02606'],
    ['GB29NWBK60161331926819', 'GB29NWBK60161331926819'],
    ['\u200eNL91 ABNA 0417 1643 00\u200b', 'NL91ABNA0417164300'],
    ['AL47212110090000000235698741', 'AL47212110090000000235698741'],
    ['ME25505000012345678951', 'ME25505000012345678951'],
    ['MD24AG000225100013104168', 'MD24AG000225100013104168'],
    ['MK07250120000058984', 'MK07250120000058984'],
    ['RS35260005601001611379', 'RS35260005601001611379'],
  ])('the IBAN %j is stored as %j', (text, iban) => {
    expect(ibanOf(text)).toBe(iban)
  })

  it.each([
    '',
    'NL91',
    'NL91ABNA0417164301', // wrong check digit
    'NL91ABNA041716430', // too short
    'DE8937040044053201300A',
    'BR1800360305000010009795493C1', // not a SEPA country
    'XX91ABNA0417164300',
  ])('%j is not a valid IBAN of a SEPA country', (text) => {
    expect(ibanOf(text)).toBeNull()
  })

  it('the IBAN formats of all 42 SEPA countries are known', () => {
    expect(sepaCountries.size).toBe(42)
    const known = Object.entries(getCountrySpecifications()).filter(([, { chars }]) => chars !== null)
    expect(known.map(([country]) => country)).toEqual(expect.arrayContaining([...sepaCountries]))
    const listed = known.filter(([, { SEPA }]) => SEPA).map(([country]) => country)
    expect([...sepaCountries]).toEqual(expect.arrayContaining(listed))
  })

  it('a masked IBAN shows its first four and last four characters', () => {
    expect(maskedIban('NL91ABNA0417164300')).toBe('NL91****4300')
    expect(maskedIban('NL91')).toBe('****')
  })
})

it.each([
  ['abnanl2a', 'ABNANL2A'],
  ['DEUTDEFF500', 'DEUTDEFF500'],
  ['ABNA', null],
  ['ABNANL2', null],
  ['', null],
])('the entered BIC %j is stored as %j', (text, bic) => {
  expect(bicOf(text)).toBe(bic)
})

it.each([
  ['Müller & Söhne GmbH', 'Muller + Sohne GmbH'],
  ['Łódź Straße Ærø', 'Lodz Strasse AEro'],
  ["L’Étoile  d'Or", "L'Etoile d'Or"],
  ['payout_1', 'payout-1'],
  ['SIA "Lumen"', 'SIA Lumen'],
  ['UAB „Šviesa“', 'UAB Sviesa'],
  ['ЗАО «Lumen»', null],
  ['«Lumen» ‹SAS› ‚a‘ `b´', "Lumen SAS 'a' 'b"],
  ['Fox; Hound', 'Fox, Hound'],
  ['Ωmega', null],
  ['株式会社', null],
  ['a<b', null],
])('the name %j is sent to a bank as %j', (text, written) => {
  expect(sepaText(text)).toBe(written)
})

it.each([
  ['Lumen #1 B.V.', '#'],
  ['Lumen Ωmega & Ж', 'Ω'],
  ['Müller & Söhne „Licht“', null],
])('the first character of %j that banks refuse is %j', (text, character) => {
  expect(refusedSepaCharacter(text)).toBe(character)
})
