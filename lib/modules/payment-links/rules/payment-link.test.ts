import { describe, expect, it } from 'vitest'
import type { Product } from '../../catalog/rules/index.ts'
import { codeOf, idOfCode, type PaymentLinkItem, quantitiesIn, stateOf } from './payment-link.ts'

const item = (differences: Partial<PaymentLinkItem> = {}): PaymentLinkItem => ({
  productId: 'plan',
  quantity: 3,
  range: null,
  price: null,
  trialDays: null,
  metadata: null,
  ...differences,
})
const product = (differences: Partial<Product> = {}) =>
  ({
    id: 'plan',
    status: 'active',
    archivedAt: null,
    taxBehavior: 'exclusive',
    terms: { price: { minor: 1_000n, currency: 'EUR' }, billingInterval: null },
    ...differences,
  }) as Product
const products = (...some: Product[]) => new Map(some.map((each) => [each.id, each]))

describe('code', () => {
  const id = `payment_link_${'0aZ'.repeat(7)}x`

  it('the code of a payment link is its id without the prefix', () => {
    expect(codeOf(id)).toBe(`${'0aZ'.repeat(7)}x`)
    expect(idOfCode(codeOf(id))).toBe(id)
  })

  it.each(['', 'x', `${'0'.repeat(23)}`, `${'0'.repeat(21)}-`, `${'0'.repeat(21)}é`, `payment_link_${'0'.repeat(9)}`])(
    '%o is not the code of a payment link',
    (code) => {
      expect(idOfCode(code)).toBeNull()
    },
  )
})

describe('state', () => {
  const link = { active: true, items: [item(), item({ productId: 'book' })] }
  const onSale = products(product(), product({ id: 'book' }))
  const selling = { isSuspended: false }

  it('a payment link is open if all of its products are on sale', () => {
    expect(stateOf(link, onSale, selling)).toBe('open')
  })

  it('a payment link that the merchant ended is closed, even if the storefront is suspended', () => {
    expect(stateOf({ ...link, active: false }, products(), { isSuspended: true })).toBe('closed')
  })

  it('a payment link is suspended if its storefront is suspended', () => {
    expect(stateOf(link, products(), { isSuspended: true })).toBe('suspended')
  })

  it.each([
    ['archived', product({ id: 'book', archivedAt: new Date() })],
    ['not approved', product({ id: 'book', status: 'pending' })],
    ['rejected', product({ id: 'book', status: 'rejected' })],
    ['deleted', product({ id: 'another' })],
    [
      'too expensive',
      product({ id: 'book', terms: { ...product().terms, price: { minor: 10_000_000_000n, currency: 'EUR' } } }),
    ],
  ])('a payment link is unavailable if one product is %s', (_, other) => {
    expect(stateOf(link, products(product(), other), selling)).toBe('unavailable')
  })
})

describe('quantities', () => {
  const range = { min: 2, max: 9 }
  const chosen = (typed: Record<string, string>, items = [item({ range })]) =>
    quantitiesIn(items, new URLSearchParams(typed))

  it.each([
    ['2', 2],
    [' 9 ', 9],
    ['007', 7],
  ])('a payment link form reads the entered quantity %o as %o', (typed, quantity) => {
    expect(chosen({ 'quantity.0': typed })).toEqual({ quantities: [quantity], isExact: true })
  })

  it.each([
    ['1', 2],
    ['10', 9],
    ['999999999', 9],
    ['0', 2],
    ['', 3],
    ['two', 3],
    ['-4', 3],
    ['4.5', 3],
    ['1e9', 3],
    ['9'.repeat(10), 3],
  ])('a payment link form replaces the entered quantity %o by %o and reports the replacement', (typed, quantity) => {
    expect(chosen({ 'quantity.0': typed })).toEqual({ quantities: [quantity], isExact: false })
  })

  it('a payment link form uses the default for a missing quantity and for a fixed quantity', () => {
    const items = [item({ range }), item({ quantity: 4 }), item({ range })]
    expect(chosen({ 'quantity.1': '99', 'quantity.2': '8' }, items)).toEqual({ quantities: [3, 4, 8], isExact: true })
  })
})
