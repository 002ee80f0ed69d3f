import { describe, expect, it } from 'vitest'
import { locales } from './locale.ts'
import { amountInInput, decimalOf, parseTypedAmount, parseTypedShare } from './typed-amount.ts'

describe('amounts entered in a form', () => {
  it.each([
    ['15', 1500n],
    ['15.5', 1550n],
    ['15,50', 1550n],
    [' 1 200,00 ', 120_000n],
    ['1\u202f200', 120_000n],
    ['1.200,00', 120_000n],
    ['1,200.5', 120_050n],
    ['1.234.567', 123_456_700n],
    ["1'200.00", 120_000n],
    ['0,01', 1n],
  ])('parseTypedAmount() accepts %j', (typed, minor) => {
    expect(parseTypedAmount(typed, 'EUR')).toEqual({ minor, currency: 'EUR' })
  })

  it.each([
    '',
    'half',
    '-5',
    '+5',
    '5.',
    ',5',
    '1.2345',
    '1.001',
    '1,200',
    '12,34,56',
    '1.20,000',
    '1e3',
    '5 EUR',
    '12345678901234',
  ])('parseTypedAmount() refuses %j', (typed) => expect(parseTypedAmount(typed, 'EUR')).toBeNull())
})

describe('shares entered in a form', () => {
  it.each([
    ['50%', 5000n],
    ['12,5 %', 1250n],
    ['33.33%', 3333n],
    ['100%', 10_000n],
    ['0%', null],
    ['101%', null],
    ['50', null],
    ['-5%', null],
  ])('the entered share %j is parsed as %s hundredths of a percent', (typed, share) =>
    expect(parseTypedShare(typed)).toBe(share),
  )
})

describe('amounts proposed in a form', () => {
  it.each([
    ['en', '237.16', '237.16'],
    ['de', '237.16', '237,16'],
    ['fr', '1234567.05', '1234567,05'],
    ['pl', '0.00', '0,00'],
  ] as const)('in the language %s, a form shows the default amount %s as %s', (locale, value, shown) => {
    expect(amountInInput(value, locale)).toBe(shown)
  })

  it.each(locales)('in the language %s, a form accepts the default amounts that it shows', (locale) => {
    for (const value of ['0.00', '0.05', '15.50', '999.99', '1000.00', '1234.56', '99999999.99'])
      expect(decimalOf(amountInInput(value, locale), 'EUR')).toBe(value)
  })

  it.each(['', '50%', '15', '12,5', '1.200', '1.234.567,89'])('amountInInput() does not change the text %j', (text) => {
    for (const locale of locales) expect(amountInInput(text, locale)).toBe(text)
  })

  it.each([
    ['15', '15.00'],
    ['1.234,5', '1234.50'],
    ['1.200', '1.200'],
    ['abc', 'abc'],
  ])('decimalOf() converts the entered text %j to %j', (typed, sent) => {
    expect(decimalOf(typed, 'EUR')).toBe(sent)
  })
})
