import { expect, it } from 'vitest'
import { companyDetailsFor, detailsQuote, fieldsRequiredBy } from './company-details.ts'

const four = ['companyName', 'streetAndNumber', 'postalCode', 'city']

it.each([
  ['reverse_charge', false, 'required', four],
  ['reverse_charge', true, 'asked', []],
  ['domestic', false, 'optional', []],
  ['not_confirmed', false, 'optional', []],
  ['none', false, 'optional', []],
  ['none', true, 'optional', []],
] as const)(
  'if the effect of the tax ID is %s (test mode: %j), the fields for company and address are %s',
  (taxId, testmode, details, fields) => {
    expect(companyDetailsFor(taxId, { testmode })).toBe(details)
    expect(fieldsRequiredBy(details, 'DE')).toEqual(fields)
  },
)

it.each([
  ['NL', null, false, false],
  ['', null, false, false],
  ['US', null, false, false],
  ['CA', null, false, true],
  ['DE', 'DE1', true, false],
])(
  'in the country %j with the tax ID %j, the checkout form asks for the address: %j, and for the province: %j',
  (country, taxId, ...shows) => {
    const said = detailsQuote({ testmode: true }, { country, taxId, currency: 'EUR', sellerCountry: 'NL' })
    expect([said.asksForAddress, said.asksForProvince]).toEqual(shows)
  },
)

it.each([
  ['DE', true],
  ['PL', true],
  ['GB', false],
  ['NO', false],
  ['US', false],
  ['', false],
])('in the country %j, the checkout form asks for a tax ID: %j', (country, shows) => {
  const choice = { country, taxId: null, currency: 'EUR', sellerCountry: 'NL' }
  expect(detailsQuote({ testmode: true }, choice).asksForTaxId).toBe(shows)
})

it('the checkout form requires no postal code in a country without postal codes', () => {
  expect(fieldsRequiredBy('required', 'HK')).toEqual(['companyName', 'streetAndNumber', 'city'])
})

it.each([
  [
    { country: 'DE', taxId: null },
    { taxId: 'none', taxIdExample: 'DE123456789', asksForPostalCode: true },
  ],
  [
    { country: 'DE', taxId: 'DE1' },
    { taxId: 'reverse_charge', companyDetails: 'asked', asksForAddress: true },
  ],
  [
    { country: 'DE', taxId: 'DE123456789' },
    { taxId: 'reverse_charge', taxIdExample: null },
  ],
  [
    { country: 'DE', taxId: 'NL1' },
    { taxId: 'not_confirmed', taxIdExample: 'DE123456789', asksForAddress: false },
  ],
  [
    { country: 'GR', taxId: 'EL123456789' },
    { taxId: 'not_confirmed', taxIdExample: 'GR123456789' },
  ],
  [
    { country: 'HK', taxId: null },
    { taxId: 'none', taxIdExample: null, asksForPostalCode: false },
  ],
  [
    { country: '', taxId: 'DE1' },
    { taxId: 'none', taxIdExample: null, asksForPostalCode: true },
  ],
])('for the input %j in test mode, detailsQuote() returns %j', (typed, said) => {
  expect(detailsQuote({ testmode: true }, { ...typed, currency: 'EUR', sellerCountry: 'NL' })).toMatchObject(said)
})
