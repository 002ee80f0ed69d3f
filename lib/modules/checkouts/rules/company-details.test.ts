import { expect, it } from 'vitest'
import { asksForAddress, companyDetailsFor, fieldsRequiredBy } from './company-details.ts'

const four = ['companyName', 'streetAndNumber', 'postalCode', 'city']

it.each([
  ['reverse_charge', false, 'required', four],
  ['reverse_charge', true, 'asked', []],
  ['domestic', false, 'optional', []],
  ['not_confirmed', false, 'optional', []],
  ['none', false, 'optional', []],
  ['none', true, 'optional', []],
] as const)(
  'with a tax ID that is %s (test mode: %j) company and address are %s',
  (taxId, testmode, details, fields) => {
    expect(companyDetailsFor(taxId, { testmode })).toBe(details)
    expect(fieldsRequiredBy(details)).toEqual(fields)
  },
)

it.each([
  ['NL', 'optional', false],
  ['', 'optional', false],
  ['US', 'optional', false],
  ['CA', 'optional', true],
  ['DE', 'asked', true],
  ['DE', 'required', true],
] as const)(
  'in %j, with a company and address that are %s, the address shows at once: %j',
  (country, details, shows) => {
    expect(asksForAddress({ country, companyDetails: details })).toBe(shows)
  },
)
