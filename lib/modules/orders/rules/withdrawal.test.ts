import { describe, expect, it } from 'vitest'
import { declarableUntil, isWithdrawable, withdrawalOf, withdrawalState, withdrawalUntil } from './withdrawal.ts'

const [ebook, saas] = [{ productType: 'ebook' }, { productType: 'saas' }]

describe('the right of withdrawal', () => {
  it.each([
    [[ebook], 'DE', 'none', 'digital_content'],
    [[saas], 'DE', 'none', 'service'],
    [[saas, saas], 'PL', 'none', 'service'],
    [[ebook, saas], 'NL', 'none', 'mixed'],
    [[ebook], 'NO', 'none', 'digital_content'],
    [[ebook], 'IS', 'not_confirmed', 'digital_content'],
    [[ebook], 'DE', 'reverse_charge', null],
    [[ebook], 'NL', 'domestic', null],
    [[ebook], 'CH', 'none', null],
    [[ebook], 'GB', 'none', null],
    [[ebook], 'US', 'none', null],
    [[ebook], '', 'none', null],
  ] as const)('for %j in %s with a tax ID that is %s: %s', (lines, country, taxId, kind) => {
    expect(withdrawalOf(lines, { country, taxId })).toBe(kind)
  })

  it('lasts for 14 days from the payment', () => {
    const withdrawal = { kind: 'service', beginsAtOnce: false } as const
    const paidAt = new Date('2027-02-20T10:00:00Z')
    expect(withdrawalUntil({ withdrawal, paidAt })).toEqual(new Date('2027-03-06T10:00:00Z'))
    expect(withdrawalUntil({ withdrawal, paidAt: null })).toBeNull()
    expect(withdrawalUntil({ withdrawal: null, paidAt })).toBeNull()
  })
})

const service = { kind: 'service', beginsAtOnce: true } as const

describe('a declaration of withdrawal', () => {
  it.each([
    ['on a weekday, until its end in the west', '2027-02-22T10:00:00Z', '2027-03-09T01:00:00Z'],
    ['late in the evening, which is the next day in the east', '2027-02-22T21:00:00Z', '2027-03-10T01:00:00Z'],
    ['that would end on a Saturday, until Monday', '2027-02-20T10:00:00Z', '2027-03-09T01:00:00Z'],
    ['that would end on a Sunday, until Monday', '2027-02-21T10:00:00Z', '2027-03-09T01:00:00Z'],
    ['that would end on a Friday', '2027-02-19T10:00:00Z', '2027-03-06T01:00:00Z'],
  ])('is taken after a payment %s', (_, paidAt, until) => {
    const order = { withdrawal: service, paidAt: new Date(paidAt) }
    expect(declarableUntil(order)).toEqual(new Date(until))
    expect(declarableUntil(order)?.getTime()).toBeGreaterThan(withdrawalUntil(order)?.getTime() ?? Infinity)
  })

  const paidAt = new Date('2027-02-22T10:00:00Z')
  const begun = (kind: 'digital_content' | 'service' | 'mixed', beginsAtOnce = true) => ({ kind, beginsAtOnce })
  it.each([
    ['open', begun('service'), null, '2027-03-09T00:59:59Z'],
    ['open', begun('mixed'), null, '2027-02-22T10:00:00Z'],
    ['open', begun('digital_content', false), null, '2027-02-22T10:00:00Z'],
    ['over', begun('service'), null, '2027-03-09T01:00:00Z'],
    ['lost', begun('digital_content'), null, '2027-02-22T10:00:00Z'],
    ['declared', begun('service'), paidAt, '2027-05-09T01:00:00Z'],
    [null, null, null, '2027-02-22T10:00:00Z'],
  ] as const)('is %s for %j, declared at %s, at %s', (state, withdrawal, declaredAt, now) => {
    expect(withdrawalState({ withdrawal, paidAt }, { declaredAt, now: new Date(now) })).toBe(state)
    expect(withdrawalState({ withdrawal, paidAt: null }, { declaredAt, now: new Date(now) })).toBeNull()
  })

  it.each([
    ['ebook', true, false],
    ['ebook', false, true],
    ['saas', true, true],
    ['saas', false, true],
  ])('concerns %s that begins at once (%s): %s', (productType, beginsAtOnce, concerns) => {
    expect(isWithdrawable({ productType }, { kind: 'mixed', beginsAtOnce })).toBe(concerns)
  })
})
