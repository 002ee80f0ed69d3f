import { describe, expect, it } from 'vitest'
import {
  chosenLines,
  declarableUntil,
  isWithdrawable,
  withdrawalOf,
  withdrawalState,
  withdrawalUntil,
} from './withdrawal.ts'

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
  const [inTime, late] = ['2027-03-09T00:59:59Z', '2027-03-09T01:00:00Z']
  it.each([
    ['open', { isDeclared: false, isLeft: true }, inTime],
    ['open', { isDeclared: true, isLeft: true }, inTime],
    ['over', { isDeclared: false, isLeft: true }, late],
    ['declared', { isDeclared: true, isLeft: true }, late],
    ['declared', { isDeclared: true, isLeft: false }, inTime],
    ['lost', { isDeclared: false, isLeft: false }, inTime],
    ['lost', { isDeclared: false, isLeft: false }, late],
  ] as const)('is %s for %j at %s', (state, lines, now) => {
    const at = { ...lines, now: new Date(now) }
    expect(withdrawalState({ withdrawal: service, paidAt }, at)).toBe(state)
    expect(withdrawalState({ withdrawal: service, paidAt: null }, at)).toBeNull()
    expect(withdrawalState({ withdrawal: null, paidAt }, at)).toBeNull()
  })

  const left = (position: number) => ({ position, isDeclared: false })
  const declared = (position: number) => ({ position, isDeclared: true })
  it.each([
    ['the only line without naming it', [left(0)], [], [0]],
    ['the only line by its name', [left(0)], [0], [0]],
    ['nothing of several without names', [left(0), left(1)], [], []],
    ['those of several that are named', [left(0), left(1), left(2)], [2, 0], [0, 2]],
    ['nothing that was declared before', [declared(0), left(1)], [0], []],
    ['what is left of those that are named', [declared(0), left(1)], [0, 1], [1]],
    ['not the last one that is left without naming it', [declared(0), left(1)], [], []],
    ['nothing that is not of the contract', [left(0), left(2)], [1, 7], []],
  ])('is about %s', (_, lines, named, positions) => {
    expect(chosenLines(lines, named).map(({ position }) => position)).toEqual(positions)
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
