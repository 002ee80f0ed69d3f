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

describe('fields', () => {
  it('billing details have the same fields as the buyer on an invoice', () => {
    expect([...detailFields].sort()).toEqual(Object.keys(stored).sort())
  })

  it('the billing details form trims its fields and ignores unknown fields', () => {
    const read = readDetails(
      new URLSearchParams({ fullName: '  Ada ', email: 'ada@example.com', paymentMethod: 'keep' }),
    )
    expect(read).toEqual({ ...detailsForm({}), fullName: 'Ada' })
  })

  it('the billing details form shows the stored values, and an empty text for a missing value', () => {
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
  ] as const)('billing details with the %s %j are refused', (field, value, problem) => {
    expect(detailProblems({ ...detailsForm(stored), [field]: value })).toEqual({ [field]: problem })
  })
})

describe('equality', () => {
  it('billing details are equal when every field is equal', () => {
    expect(sameDetails(stored, { ...stored })).toBe(true)
  })

  it.each(Object.keys(stored))('billing details are not equal if %s differs', (field) => {
    expect(sameDetails(stored, { ...stored, [field]: 'other' })).toBe(false)
  })
})

describe('several subscriptions', () => {
  const subscription = aSubscription()

  it('new billing details apply to each running subscription whose details differ', () => {
    for (const status of subscriptionStates.states) {
      const changed = withDetails([aSubscription({ status })], stored)
      expect(changed).toEqual(status === 'canceled' ? [] : [{ ...subscription, status, billingAddress: stored }])
    }
  })

  it('new billing details do not apply to a subscription with equal details', () => {
    expect(withDetails([{ ...subscription, billingAddress: { ...stored } }], stored)).toEqual([])
  })
})
