import { describe, expect, it } from 'vitest'
import type { CompanyDetails } from '../../checkouts/page.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { onceOnlyMethods, testMethods } from '../../payments/rules/method.ts'
import { type BillingUpdateForm, billingUpdateFields } from '../page.ts'
import { billingOf, billingUpdateProblems, prefilled, readBillingUpdateForm } from './form.ts'

const stored: BillingDetails = {
  fullName: 'Ada Lovelace',
  companyName: null,
  taxId: 'DE1',
  streetAndNumber: 'Lane 1',
  streetAdditional: null,
  city: 'Bonn',
  region: null,
  postalCode: '53111',
  country: 'DE',
}
const form = (values: Record<string, string> = {}): BillingUpdateForm =>
  readBillingUpdateForm(new URLSearchParams({ fullName: 'Ada', country: 'DE', paymentMethod: 'keep', ...values }))
const problemsOf = (
  typed: BillingUpdateForm,
  canKeep = true,
  companyDetails: CompanyDetails = 'optional',
  needsMethod = true,
) => billingUpdateProblems(typed, { canKeep, needsMethod, companyDetails })

describe('fields and problems', () => {
  it('the billing-update form trims its fields and ignores unknown fields', () => {
    const read = form({ fullName: '  Ada ', email: 'ada@example.com', currency: 'USD', intent: 'cancel' })
    expect(Object.keys(read).sort()).toEqual([...billingUpdateFields].sort())
    expect(read).toMatchObject({ fullName: 'Ada', country: 'DE', city: '' })
  })

  it('the billing-update form reports a missing name, country, and payment method together', () => {
    const required = { code: 'required' }
    expect(problemsOf(readBillingUpdateForm(new URLSearchParams()))).toEqual({
      fullName: required,
      country: required,
      paymentMethod: required,
    })
  })

  it.each([
    ['country', 'ZZ', { code: 'unknown' }],
    ['paymentMethod', 'cash', { code: 'unknown' }],
    ...onceOnlyMethods.map((method) => ['paymentMethod', method, { code: 'unavailable' }] as const),
  ] as const)('the billing-update form refuses the %s %j', (field, value, problem) => {
    expect(problemsOf(form({ [field]: value }), true)).toEqual({ [field]: problem })
  })

  it('the billing-update form accepts each method that can be charged, and `keep` if a method is stored', () => {
    for (const paymentMethod of testMethods)
      for (const canKeep of [true, false]) expect(problemsOf(form({ paymentMethod }), canKeep)).toEqual({})
    expect(problemsOf(form(), true)).toEqual({})
    expect(problemsOf(form(), false)).toEqual({ paymentMethod: { code: 'unknown' } })
  })

  it('the billing-update form does not require a payment method when nothing will be charged', () => {
    expect(problemsOf(form({ paymentMethod: '' }), false, 'optional', false)).toEqual({})
    expect(problemsOf(form({ paymentMethod: 'paypal' }), false, 'optional', false)).toEqual({})
    expect(problemsOf(form({ paymentMethod: 'cash' }), false, 'optional', false)).not.toEqual({})
    expect(billingOf(form({ paymentMethod: '' })).method).toBeNull()
  })

  it('the billing-update form requires a company and an address only if the company details are marked as required', () => {
    const required = { code: 'required' }
    const typed = form({ taxId: 'DE1', city: 'Bonn' })
    const missing = { companyName: required, streetAndNumber: required, postalCode: required }
    expect(problemsOf(typed, true, 'required')).toEqual(missing)
    expect(problemsOf(typed, true, 'asked')).toEqual({})
  })

  it('a valid billing-update form returns the details, with null for blank fields, and the new payment method', () => {
    const { details, method } = billingOf(form({ city: 'Bonn', paymentMethod: 'paypal' }))
    const blank = Object.fromEntries(Object.keys(stored).map((field) => [field, null]))
    expect(details).toEqual({ ...blank, fullName: 'Ada', country: 'DE', city: 'Bonn' })
    expect(method).toBe('paypal')
    expect(billingOf(form()).method).toBeNull()
  })
})

describe('initial values', () => {
  it('the billing-update form initially shows the stored details', () => {
    const shown = prefilled(null, stored, true)
    expect(shown).toEqual({
      fullName: 'Ada Lovelace',
      companyName: '',
      taxId: 'DE1',
      streetAndNumber: 'Lane 1',
      streetAdditional: '',
      city: 'Bonn',
      region: '',
      postalCode: '53111',
      country: 'DE',
      paymentMethod: 'keep',
    })
    expect(billingOf(shown).details).toEqual(stored)
  })

  it('the billing-update form initially shows the merchant’s prefill instead of the stored details', () => {
    const shown = prefilled({ country: 'FR', taxId: null, fullName: '' }, stored, true)
    const blank = Object.fromEntries(billingUpdateFields.map((field) => [field, '']))
    expect(shown).toEqual({ ...blank, country: 'FR', paymentMethod: 'keep' })
  })

  it('the billing-update form preselects `keep` only if a method is stored', () => {
    expect(prefilled(null, stored, false).paymentMethod).toBe('')
  })
})
