import { expect, test } from 'vitest'
import { aRegistration } from '../examples.ts'
import type { Registration } from './registration.ts'
import type { TaxDocument } from './returns.ts'
import { vatCurrenciesOf } from './vat-currencies.ts'

const vat = [{ rate: { name: 'VAT', percentage: '25' }, amount: 250n }]
const free = [{ rate: { name: 'Reverse charge', percentage: '0' }, amount: 0n }]
const document: Omit<TaxDocument, 'exchangeRate' | 'subtotal'> = {
  day: '2026-11-20',
  soldOn: null,
  sellerCountry: 'NL',
  buyerCountry: 'SE',
  postalCode: null,
  taxId: null,
  currency: 'EUR',
  taxes: vat,
}

test.each<[string, Partial<typeof document>, Registration[], string]>([
  ['of a euro area seller’s sale in euros', {}, [], ''],
  ['of a sale in kronor that is declared to the One Stop Shop', { currency: 'SEK' }, [], 'EUR'],
  ['of a sale in euros that is declared in Sweden', {}, [aRegistration('SE')], 'SEK'],
  ['of a sale in kronor that is declared in Sweden', { currency: 'SEK' }, [aRegistration('SE')], 'EUR'],
  [
    'of a sale in kronor that is declared in Hungary',
    { currency: 'SEK', buyerCountry: 'HU' },
    [aRegistration('HU')],
    'EUR HUF',
  ],
  ['of a sale in euros that is declared in Germany', { buyerCountry: 'DE' }, [aRegistration('DE')], ''],
  ['of a domestic sale in dollars', { currency: 'USD', buyerCountry: 'NL' }, [], 'EUR'],
  ['of a sale to Great Britain in euros', { buyerCountry: 'GB' }, [aRegistration('GB')], 'GBP'],
  ['of a sale to Great Britain in pounds', { buyerCountry: 'GB', currency: 'GBP' }, [aRegistration('GB')], 'EUR'],
  ['of a sale to Norway in euros', { buyerCountry: 'NO' }, [aRegistration('NO')], 'NOK'],
  ['of a sale to Switzerland in euros', { buyerCountry: 'CH' }, [aRegistration('CH')], ''],
  ['of a sale to Monaco in euros', { buyerCountry: 'MC' }, [], ''],
  ['of a Swedish seller’s sale in euros', { sellerCountry: 'SE', buyerCountry: 'DE' }, [], 'SEK'],
  ['of a Swedish seller’s sale in kronor', { sellerCountry: 'SE', currency: 'SEK' }, [], ''],
  [
    'of a Czech seller’s sale to Great Britain in dollars',
    { sellerCountry: 'CZ', buyerCountry: 'GB', currency: 'USD' },
    [aRegistration('GB')],
    'CZK GBP',
  ],
  ['of a Swiss seller’s sale in euros', { sellerCountry: 'CH', buyerCountry: 'DE' }, [], ''],
  ['of a document without tax', { currency: 'SEK', taxes: free }, [aRegistration('SE')], ''],
  ['of a credit note in kronor', { currency: 'SEK', soldOn: '2026-10-01' }, [], 'EUR'],
])('the VAT %s is also stated in these currencies: $3', (_, difference, registrations, currencies) => {
  expect(vatCurrenciesOf({ ...document, ...difference }, registrations).join(' ')).toBe(currencies)
})
