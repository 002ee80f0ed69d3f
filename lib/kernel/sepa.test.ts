import { describe, expect, it } from 'vitest'
import { creditorIdOf, exampleCreditorId, mandateReference } from './sepa.ts'

describe('a creditor identifier', () => {
  it.each([
    [exampleCreditorId, exampleCreditorId],
    [' de98 zzz 0999 9999 999 ', exampleCreditorId],
    ['DE98ABC09999999999', 'DE98ABC09999999999'],
    ['FR72ZZZ123456', 'FR72ZZZ123456'],
  ])('%j is %j', (text, id) => {
    expect(creditorIdOf(text)).toBe(id)
  })

  it.each([
    '',
    'DE',
    'DE97ZZZ09999999999',
    'DE98ZZZ09999999998',
    'NL98ZZZ09999999999',
    'DE98ZZZ',
    `DE98ZZZ${'0'.repeat(29)}`,
  ])('%j is none', (text) => {
    expect(creditorIdOf(text)).toBeNull()
  })
})

describe('a mandate reference', () => {
  const ids = ['mandate_0oTXEeyj6LUgEUX5Fu7iqJ', 'mandate_0oTXEeyj6LUgEUX5Fu7iqj', `mandate_${'z'.repeat(22)}`]
  it.each(ids)('of %s is one that banks take', (id) => {
    expect(mandateReference(id)).toMatch(/^M[0-9A-Z]{1,34}$/)
  })

  it('differs between mandates, whatever a bank does with capitals', () => {
    expect(new Set(ids.map((id) => mandateReference(id).toLowerCase())).size).toBe(ids.length)
    expect(mandateReference('mandate_000000000000000000000A')).toBe('MA')
    expect(mandateReference('mandate_000000000000000000000z')).toBe('M1P')
  })
})
