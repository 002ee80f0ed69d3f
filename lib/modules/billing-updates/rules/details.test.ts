import { describe, expect, it } from 'vitest'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import { aSubscription } from '../../subscriptions/examples.ts'
import { subscriptionStates } from '../../subscriptions/rules/state.ts'
import { detailFields } from '../page.ts'
import { detailProblems, detailsForm, readDetails, sameDetails, withDetails } from './details.ts'

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

describe('the fields of billing details', () => {
  it('billing details have the fields of the buyer on an invoice', () => {
    expect([...detailFields].sort()).toEqual(Object.keys(stored).sort())
  })

  it('billing details are read field by field and trimmed, and other fields are ignored', () => {
    const read = readDetails(
      new URLSearchParams({ fullName: '  Ada ', email: 'ada@example.com', paymentMethod: 'keep' }),
    )
    expect(read).toEqual({ ...detailsForm({}), fullName: 'Ada' })
  })

  it('billing details show the stored values, and blanks for missing values', () => {
    expect(detailsForm(stored)).toEqual({ ...stored, companyName: '', streetAdditional: '', region: '' })
    expect(Object.values(detailsForm({}))).toEqual(detailFields.map(() => ''))
  })

  it('billing details need a name and a country', () => {
    const required = { code: 'required' }
    expect(detailProblems(detailsForm({}))).toEqual({ fullName: required, country: required })
    expect(detailProblems(detailsForm(stored))).toEqual({})
  })

  it.each([
    ['country', 'ZZ', { code: 'unknown' }],
    ['fullName', 'a'.repeat(256), { code: 'too_long', limit: 255 }],
    ['taxId', '1'.repeat(51), { code: 'too_long', limit: 50 }],
    ['city', 'a\u0007b', { code: 'invalid' }],
  ] as const)('billing details refuse the %s %j', (field, value, problem) => {
    expect(detailProblems({ ...detailsForm(stored), [field]: value })).toEqual({ [field]: problem })
  })
})

describe('equality of billing details', () => {
  it('billing details are equal when every field is equal', () => {
    expect(sameDetails(stored, { ...stored })).toBe(true)
  })

  it.each(Object.keys(stored))('billing details that differ in %s are not equal', (field) => {
    expect(sameDetails(stored, { ...stored, [field]: 'other' })).toBe(false)
  })
})

describe('new details of several subscriptions', () => {
  const subscription = aSubscription()

  it('the details apply to running subscriptions with different details', () => {
    for (const status of subscriptionStates.states) {
      const changed = withDetails([aSubscription({ status })], stored)
      expect(changed).toEqual(status === 'canceled' ? [] : [{ ...subscription, status, billingAddress: stored }])
    }
  })

  it('the details do not apply to subscriptions with the same details', () => {
    expect(withDetails([{ ...subscription, billingAddress: { ...stored } }], stored)).toEqual([])
  })
})
