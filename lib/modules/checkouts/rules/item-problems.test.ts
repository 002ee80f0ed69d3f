import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../../kernel/refusal.ts'
import type { Product } from '../../catalog/rules/index.ts'
import { itemProblems } from './item-problems.ts'

const product = (id: string, differences: Partial<Product> = {}) =>
  ({
    id,
    status: 'active',
    archivedAt: null,
    taxBehavior: 'exclusive',
    terms: { price: { minor: 1_000n, currency: 'EUR' }, billingInterval: null },
    ...differences,
  }) as Product
const products = new Map(
  [
    product('book'),
    product('inclusive', { taxBehavior: 'inclusive' }),
    product('pending', { status: 'pending' }),
    product('rejected', { status: 'rejected' }),
    product('archived', { archivedAt: new Date(), status: 'pending' }),
  ].map((each) => [each.id, each]),
)
const ofLink = { field: 'items', of: 'a payment link', mayWait: true } as const
const most = ['Price times quantity must be at most 99999999.99.']

describe('the items of a checkout', () => {
  it.each([
    [{ id: 'book' }, {}],
    [{}, {}],
    [{ id: 'gone' }, { id: ['The selected product does not exist in this storefront and mode.'] }],
    [{ id: 'archived' }, { id: ['The selected product is archived.'] }],
    [{ id: 'pending' }, { id: ['The selected product must be active. Its status is pending.'] }],
    [{ id: 'rejected' }, { id: ['The selected product must be active. Its status is rejected.'] }],
    [{ id: 'inclusive' }, { id: ['All products of a checkout must have the same taxBehavior.'] }],
    [{ id: 'book', trialDays: 1 }, { trialDays: ['Only a subscription plan can have a trial.'] }],
    [{ id: 'book', quantity: 999_999, price: { minor: 9_999n, currency: 'EUR' as const } }, {}],
    [{ id: 'book', quantity: 999_999, price: { minor: 10_001n, currency: 'EUR' as const } }, { quantity: most }],
  ])('the checkout item %o has the problems %o', (item, problems) => {
    const named = Object.fromEntries(Object.entries(problems).map(([name, says]) => [`products.1.${name}`, says]))
    expect(sentencesOf(itemProblems([{ id: 'book' }, item], products))).toEqual(named)
  })
})

describe('the items of a payment link', () => {
  it('an item of a payment link may be pending approval, but not rejected or archived', () => {
    const items = ['pending', 'rejected', 'archived'].map((id) => ({ id }))
    expect(sentencesOf(itemProblems(items, products, ofLink))).toEqual({
      'items.1.id': ['The selected product must be active. Its status is rejected.'],
      'items.2.id': ['The selected product is archived.'],
    })
  })

  it('the unit price of a payment link item multiplied by its maximum quantity must not exceed the price limit', () => {
    const price = { minor: 10_001n, currency: 'EUR' as const }
    const item = { id: 'book', quantity: 1, price }
    expect(sentencesOf(itemProblems([{ ...item, maxQuantity: 999_999 }], products, ofLink))).toEqual({
      'items.0.maxQuantity': most,
    })
    expect(sentencesOf(itemProblems([{ ...item, maxQuantity: 999 }], products, ofLink))).toEqual({})
  })

  it('the error message for a payment link item refers to the payment link instead of a checkout', () => {
    expect(sentencesOf(itemProblems([{ id: 'book' }, { id: 'inclusive' }], products, ofLink))).toEqual({
      'items.1.id': ['All products of a payment link must have the same taxBehavior.'],
    })
  })
})
