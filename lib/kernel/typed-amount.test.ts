import { describe, expect, it } from 'vitest'
import { parseTypedAmount, parseTypedShare } from './typed-amount.ts'

describe('a typed amount', () => {
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
  ])('%j is a valid amount', (typed, minor) => {
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
  ])('%j is not a valid amount', (typed) => expect(parseTypedAmount(typed, 'EUR')).toBeNull())
})

describe('a typed share', () => {
  it.each([
    ['50%', 5000n],
    ['12,5 %', 1250n],
    ['33.33%', 3333n],
    ['100%', 10_000n],
    ['0%', null],
    ['101%', null],
    ['50', null],
    ['-5%', null],
  ])('%j has the share %s', (typed, share) => expect(parseTypedShare(typed)).toBe(share))
})
