import { expect, test } from 'vitest'
import { builtInRates } from '../../orders/rules/exchange.ts'
import type { Order } from '../../orders/rules/order.ts'
import { sold, vat } from '../examples.ts'
import { vatStatedOf } from './vat-stated.ts'

const inEuros = { currency: 'EUR', ...builtInRates.EUR } as const
const ofBank = (rate: string) => ({ rate, source: 'ecb', on: '2026-11-20' }) as const

const order = (differences: Partial<Order>) => sold([{ unitPrice: 10_000n, quantity: 1 }], [vat('25')], differences)

test.each<[string, Partial<Order>, object[]]>([
  ['in no further currency', { vatStatedIn: [] }, []],
  [
    'in no further currency for a document from before this rule',
    { currency: 'USD', exchangeRate: builtInRates.USD, vatStatedIn: null },
    [],
  ],
  [
    'in euros for an invoice in kronor',
    { currency: 'SEK', exchangeRate: ofBank('11.20'), vatStatedIn: [inEuros] },
    [{ currency: 'EUR', value: '2.23', rates: [{ currency: 'SEK', rate: '11.20' }], on: '2026-11-20' }],
  ],
  [
    'in kronor for an invoice in euros',
    { vatStatedIn: [{ currency: 'SEK', ...ofBank('11.2055') }] },
    [{ currency: 'SEK', value: '280.14', rates: [{ currency: 'SEK', rate: '11.2055' }], on: '2026-11-20' }],
  ],
  [
    'in euros and forints for an invoice in kronor, each converted directly from the total',
    { currency: 'SEK', exchangeRate: ofBank('11.20'), vatStatedIn: [inEuros, { currency: 'HUF', ...ofBank('402') }] },
    [
      { currency: 'EUR', value: '2.23' },
      {
        currency: 'HUF',
        value: '897.32',
        rates: [
          { currency: 'SEK', rate: '11.20' },
          { currency: 'HUF', rate: '402' },
        ],
      },
    ],
  ],
  [
    'in euros for a test-mode invoice in dollars',
    { currency: 'USD', exchangeRate: builtInRates.USD, vatStatedIn: [inEuros] },
    [{ currency: 'EUR', value: '23.04', on: null }],
  ],
])('vatStatedOf() states the VAT %s', (_, differences, expected) => {
  expect(vatStatedOf(order(differences))).toMatchObject(expected)
})
