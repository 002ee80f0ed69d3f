import { createTranslator } from 'next-intl'
import { expect, it } from 'vitest'
import type { DetailsQuote } from '@/lib/modules/checkouts/page.ts'
import en from '@/messages/en.json' with { type: 'json' }
import { detailsText } from './details-text.ts'

const t = createTranslator({ locale: 'en', messages: en })

const quote: DetailsQuote = {
  taxId: 'none',
  taxIdExample: null,
  registeredName: null,
  companyDetails: 'optional',
  asksForAddress: false,
  asksForProvince: false,
  asksForTaxId: true,
  asksForPostalCode: true,
}

it.each([
  ['none', 'Optional, for companies.', false],
  ['reverse_charge', 'Accepted. You account for the tax yourself (reverse charge).', true],
  ['domestic', 'Accepted. You and the seller are in the same country, so tax applies.', true],
  ['not_confirmed', 'We could not confirm this number, so tax applies. You can continue with it, or check it.', false],
] as const)('the hint for a tax ID in status %s says: %j', (taxId, text, isGood) => {
  expect(detailsText({ ...quote, taxId }, t).taxId).toEqual({ text, isGood })
})

it('the hint for the tax ID shows an example until an accepted tax ID is entered', () => {
  const example = 'A VAT ID of your country looks like DE123456789.'
  const textOf = (taxId: DetailsQuote['taxId']) =>
    detailsText({ ...quote, taxId, taxIdExample: 'DE123456789' }, t).taxId.text
  expect(textOf('none')).toBe('Optional, for companies, like DE123456789.')
  expect(textOf('not_confirmed')).toMatch(new RegExp(`^We could not confirm.* ${example}$`))
  expect(textOf('reverse_charge')).not.toContain(example)
})

it.each([
  ['optional', /^Optional/, []],
  ['asked', /in test mode/, []],
  ['required', /has to show/, ['companyName', 'streetAndNumber', 'postalCode', 'city']],
] as const)(
  'the value "%s" of companyDetails sets the address hint and the required company and address fields',
  (companyDetails, hint, required) => {
    const text = detailsText({ ...quote, taxId: 'reverse_charge', companyDetails }, t)
    expect(text.addressHint).toMatch(hint)
    expect(text.required).toEqual(required)
  },
)

it('the address form requires no postal code in countries without postal codes', () => {
  const text = detailsText({ ...quote, companyDetails: 'required', asksForPostalCode: false }, t)
  expect(text.required).toEqual(['companyName', 'streetAndNumber', 'city'])
})
