import { expect, test } from 'vitest'
import { builtInRates } from './exchange.ts'
import { priceSale } from './price.ts'

const rates = [{ name: 'VAT', percentage: '20' }]

test('prices in euros are not converted', () => {
  const sale = priceSale({
    items: [{ unitPrice: 999n, quantity: 3 }],
    currency: 'EUR',
    exchangeRate: null,
    behavior: 'exclusive',
    rates,
  })
  expect(sale).toMatchObject({ currency: 'EUR', subtotal: 2997n, total: 3596n, lines: [{ basePrice: '9.99' }] })
})

test('a conversion to another currency converts the unit price, not the line total', () => {
  const sale = priceSale({
    items: [{ unitPrice: 999n, quantity: 3 }],
    currency: 'USD',
    exchangeRate: builtInRates.USD,
    behavior: 'exclusive',
    rates,
  })
  expect(sale.lines).toMatchObject([{ unitPrice: 1084n, basePrice: '10.84', subtotal: 3252n }])
  expect(sale).toMatchObject({ currency: 'USD', subtotal: 3252n, taxSummary: [{ amount: 650n }], total: 3902n })
})

test('an inclusive price is converted together with its tax', () => {
  const sale = priceSale({
    items: [{ unitPrice: 1200n, quantity: 1 }],
    currency: 'USD',
    exchangeRate: builtInRates.USD,
    behavior: 'inclusive',
    rates,
  })
  expect(sale).toMatchObject({ subtotal: 1085n, taxSummary: [{ amount: 217n }], total: 1302n })
})
