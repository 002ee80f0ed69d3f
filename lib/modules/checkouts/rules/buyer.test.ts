import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onceOnlyMethods, testMethods } from '../../payments/rules/method.ts'
import { buyerFields } from '../page.ts'
import { buyerOf, formProblems, readForm } from './buyer.ts'

const form = (differences: Record<string, string> = {}) =>
  readForm(
    new URLSearchParams({
      email: ' Ada@Bücher.example ',
      fullName: 'Ada',
      country: 'DE',
      paymentMethod: 'ideal',
      ...differences,
    }),
  )

const asks = { asksForMethod: true, sellsSubscription: false }
const isFree = { asksForMethod: false, sellsSubscription: false }

describe('the checkout form of a buyer', () => {
  it('the checkout form requires email, name, country, and method, and reports all problems together', () => {
    const required = { code: 'required' }
    expect(formProblems(readForm(new URLSearchParams({ email: '  ' })), asks)).toEqual({
      email: required,
      fullName: required,
      country: required,
      paymentMethod: required,
    })
    expect(formProblems(form(), asks)).toEqual({})
  })

  it('the checkout form refuses a blank city if the sale requires a city, and otherwise accepts the blank city', () => {
    const typed = form({ companyName: 'Engines', city: '  ' })
    expect(formProblems(typed, { ...asks, alsoRequired: ['companyName', 'city'] })).toEqual({
      city: { code: 'required' },
    })
    expect(formProblems(typed, asks)).toEqual({})
  })

  it('the checkout form neither requires nor reads a payment method if the page asks for none', () => {
    for (const paymentMethod of ['', 'cash', 'banktransfer'])
      expect(formProblems(form({ paymentMethod }), isFree)).toEqual({})
    expect(buyerOf(form(), { asksForMethod: false }).paymentMethod).toBeNull()
  })

  it.each([
    ['an email address alone if nothing is ever charged', isFree, ['email']],
    [
      'an email address and a country for a free subscription',
      { ...isFree, sellsSubscription: true },
      ['email', 'country'],
    ],
    [
      'an email address, a country, a name, and a payment method for a paid subscription',
      { ...asks, sellsSubscription: true },
      ['email', 'country', 'fullName', 'paymentMethod'],
    ],
  ])('the checkout form requires %s', (_, asked, fields) => {
    const nothing = readForm(new URLSearchParams())
    const required = Object.fromEntries(fields.map((field) => [field, { code: 'required' }]))
    expect(formProblems(nothing, asked)).toEqual(required)
    const alsoRequired = ['companyName'] as const
    expect('companyName' in formProblems(nothing, { ...asked, alsoRequired })).toBe(asked.asksForMethod)
  })

  it('the checkout form of a free order checks the optional fields that are filled in', () => {
    expect(formProblems(form({ country: 'ZZ' }), isFree)).toEqual({ country: { code: 'unknown' } })
    expect(formProblems(form({ fullName: '', country: '' }), isFree)).toEqual({})
  })

  it.each([
    ['email', 'ada', { code: 'invalid' }],
    ['email', 'customer_1@erased.invalid', { code: 'invalid' }],
    ['country', 'de', { code: 'unknown' }],
    ['country', 'ZZ', { code: 'unknown' }],
    ['paymentMethod', 'cash', { code: 'unknown' }],
    ['paymentMethod', 'banktransfer', { code: 'unavailable' }],
    ['fullName', 'a'.repeat(256), { code: 'too_long', limit: 255 }],
    ['taxId', '1'.repeat(51), { code: 'too_long', limit: 50 }],
    ['postalCode', '1'.repeat(21), { code: 'too_long', limit: 20 }],
    ['postalCode', '1011', { code: 'invalid' }],
    ['city', 'a\u0007b', { code: 'invalid' }],
  ])('the checkout form refuses the %s %j', (field, value, problem) => {
    expect(formProblems(form({ [field]: value }), asks)).toEqual({ [field]: problem })
  })

  it('the checkout form checks postal codes by country, and accepts any text if a country has no postal codes', () => {
    for (const [country, postalCode] of Object.entries({ NL: '1015cs', DE: '10115', HK: 'Kowloon', GH: 'GA-183' }))
      expect(formProblems(form({ country, postalCode }), asks)).toEqual({})
  })

  it('the checkout form limits a name to 255 code points', () => {
    expect(formProblems(form({ fullName: '👩‍🚀'.repeat(85) }), asks)).toEqual({})
    expect(formProblems(form({ fullName: '👩‍🚀'.repeat(86) }), asks)).toEqual({
      fullName: { code: 'too_long', limit: 255 },
    })
  })

  it('the checkout form accepts every method that the page offers and refuses every disabled method', () => {
    for (const paymentMethod of testMethods) expect(formProblems(form({ paymentMethod }), asks)).toEqual({})
    for (const paymentMethod of onceOnlyMethods)
      expect(formProblems(form({ paymentMethod }), asks)).toEqual({ paymentMethod: { code: 'unavailable' } })
  })

  it('the checkout form accepts an invalid tax ID, because tax is charged without a valid tax ID', () => {
    expect(formProblems(form({ taxId: 'nonsense' }), asks)).toEqual({})
  })

  it('the checkout form removes separators from a tax ID before it checks the tax ID', () => {
    const typed = form({ taxId: `\u200eDE\u2013136.695.976${' '.repeat(50)}\u200b` })
    expect(typed.taxId).toBe('DE136695976')
    expect(formProblems(typed, asks)).toEqual({})
    expect(buyerOf(form({ taxId: 'BE (0)428.759.497' }), asks).details.taxId).toBe('BE0428759497')
    expect(buyerOf(form({ taxId: '\u200b - ' }), asks).details.taxId).toBeNull()
  })

  it('a valid checkout form becomes a buyer with a canonical email address and null for blank fields', () => {
    expect(buyerOf(form({ city: '  ', region: 'Bavaria', currency: 'EUR' }), asks)).toEqual({
      email: 'ada@xn--bcher-kva.example',
      currency: 'EUR',
      paymentMethod: 'ideal',
      details: {
        fullName: 'Ada',
        companyName: null,
        taxId: null,
        streetAndNumber: null,
        streetAdditional: null,
        postalCode: null,
        city: null,
        region: 'Bavaria',
        country: 'DE',
      },
    })
  })

  it('the checkout form turns any input into text that the database accepts, without an error', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...buyerFields), fc.string({ unit: 'binary', maxLength: 2000 })),
        (values) => {
          const read = readForm({ get: (name) => values[name as 'email'] ?? null })
          for (const value of Object.values(read)) {
            expect(value.isWellFormed() && !value.includes('\u0000') && value.length <= 1000).toBe(true)
          }
          formProblems(read, asks)
        },
      ),
      { numRuns: 30 },
    )
  })
})
