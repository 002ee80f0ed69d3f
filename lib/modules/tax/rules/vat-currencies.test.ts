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
  ['of a seller in the euro area in euros', {}, [], ''],
  ['in kronor, declared to the One Stop Shop', { currency: 'SEK' }, [], 'EUR'],
  ['in euros, declared in Sweden', {}, [aRegistration('SE')], 'SEK'],
  ['in kronor, declared in Sweden', { currency: 'SEK' }, [aRegistration('SE')], 'EUR'],
  ['in kronor, declared in Hungary', { currency: 'SEK', buyerCountry: 'HU' }, [aRegistration('HU')], 'EUR HUF'],
  ['in euros, declared in Germany', { buyerCountry: 'DE' }, [aRegistration('DE')], ''],
  ['at home in dollars', { currency: 'USD', buyerCountry: 'NL' }, [], 'EUR'],
  ['to Great Britain in euros', { buyerCountry: 'GB' }, [aRegistration('GB')], 'GBP'],
  ['to Great Britain in pounds', { buyerCountry: 'GB', currency: 'GBP' }, [aRegistration('GB')], 'EUR'],
  ['to Norway in euros', { buyerCountry: 'NO' }, [aRegistration('NO')], 'NOK'],
  ['to Switzerland in euros', { buyerCountry: 'CH' }, [aRegistration('CH')], ''],
  ['to Monaco in euros', { buyerCountry: 'MC' }, [], ''],
  ['of a Swedish seller in euros', { sellerCountry: 'SE', buyerCountry: 'DE' }, [], 'SEK'],
  ['of a Swedish seller in kronor', { sellerCountry: 'SE', currency: 'SEK' }, [], ''],
  [
    'of a Czech seller in dollars, to Great Britain',
    { sellerCountry: 'CZ', buyerCountry: 'GB', currency: 'USD' },
    [aRegistration('GB')],
    'CZK GBP',
  ],
  ['of a Swiss seller in euros', { sellerCountry: 'CH', buyerCountry: 'DE' }, [], ''],
  ['of a document without tax', { currency: 'SEK', taxes: free }, [aRegistration('SE')], ''],
  ['of a credit note in kronor', { currency: 'SEK', soldOn: '2026-10-01' }, [], 'EUR'],
])('further currencies for the VAT %s', (_, difference, registrations, currencies) => {
  expect(vatCurrenciesOf({ ...document, ...difference }, registrations).join(' ')).toBe(currencies)
})
