import { createTranslator } from 'next-intl'
import { expect, it } from 'vitest'
import en from '@/messages/en.json' with { type: 'json' }
import { detailsText } from './details-text.ts'

const t = createTranslator({ locale: 'en', messages: en })

it.each([
  ['none', 'A valid VAT ID can change the tax you pay here.', false],
  ['reverse_charge', 'Accepted. You account for the tax yourself (reverse charge).', true],
  ['domestic', 'Accepted. You and the seller are in the same country, so tax applies.', true],
  ['not_confirmed', 'We could not confirm this number, so tax applies. You can continue with it, or check it.', false],
] as const)('for a tax ID that is %s the form says %j', (taxId, text, isGood) => {
  expect(detailsText({ taxId, companyDetails: 'optional', asksForAddress: false }, t).taxId).toEqual({ text, isGood })
})

it.each([
  ['optional', /^Optional/, []],
  ['asked', /in test mode/, []],
  ['required', /has to show/, ['companyName', 'streetAndNumber', 'postalCode', 'city']],
] as const)('has a text for company and address that are %s', (companyDetails, hint, required) => {
  const text = detailsText({ taxId: 'reverse_charge', companyDetails, asksForAddress: true }, t)
  expect(text.addressHint).toMatch(hint)
  expect(text.required).toEqual(required)
})
