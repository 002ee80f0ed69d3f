import { describe, expect, it } from 'vitest'
import { withdrawalOf, withdrawalUntil } from './withdrawal.ts'

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
