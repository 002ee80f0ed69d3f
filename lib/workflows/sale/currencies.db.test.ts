import { expect, it } from 'vitest'
import { currencies, testRates } from '../../kernel/currencies.ts'
import { balance } from '../../modules/ledger/operations.ts'
import { createPayout } from '../../modules/payouts/operations.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { aCheckout, aPlan, aProduct, pay, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aShop, tokenOf } from '../../testing/shop.ts'
import { drainTasks, get, pass } from '../../testing/subscription-scenario.ts'
import { move, raise } from '../chargeback/operations.ts'
import { quote } from './load-quote.ts'

const visitor = { acceptLanguage: 'en', header: () => null }

/** Columns: currency, country, a one-off price of 9.99 EUR, a monthly price of 10.00 EUR, their sum with tax, and a dispute fee of 15.00 EUR. */
it.each([
  ['USD', 'US', '10.84', '10.85', '26.03', '16.28'],
  ['GBP', 'GB', '8.64', '8.65', '20.75', '12.98'],
  ['CHF', 'CH', '9.34', '9.35', '20.20', '14.03'],
  ['SEK', 'SE', '112.39', '112.50', '281.11', '168.75'],
  ['NOK', 'NO', '117.38', '117.50', '293.60', '176.25'],
  ['DKK', 'DK', '74.53', '74.60', '186.41', '111.90'],
  ['PLN', 'PL', '42.66', '42.70', '104.99', '64.05'],
  ['CAD', 'CA', '15.08', '15.10', '34.70', '22.65'],
] as const)(
  'a sale in %s uses this currency on the checkout page, in the API, and in the ledger',
  async (currency, country, once, monthly, total, fee) => {
    const { testKey: key, scope } = await aShop({ at: '2027-01-01T00:00:00Z' })
    const own = (value: string) => price(value, currency)
    const book = await aProduct(key, { basePrice: price('9.99') })
    const plan = await aPlan(key, { basePrice: price('10.00') })
    const checkout = await aCheckout(key, book.id, { products: [{ id: book.id }, { id: plan.id }] })
    const token = tokenOf(checkout.links.checkoutUrl.href)
    const asked = (chosen: string) => quote(token, new URLSearchParams({ country, currency: chosen }), visitor)
    expect(await asked('')).toMatchObject({ currency: 'EUR', currencies: ['EUR', currency] })
    expect(await asked(currency)).toMatchObject({ currency, total: own(total), methods: ['creditcard', 'paypal'] })

    const { orderId, customerId } = await pay(key, checkout, { country, currency })
    await drainTasks()
    const order = await get(key, `/v1/orders/${orderId}`)
    expect(order).toMatchObject({ total: own(total), lines: [{ basePrice: own(once) }, { basePrice: own(monthly) }] })
    const row = await db().orders.findUniqueOrThrow({ where: { id: orderId } })
    expect(row).toMatchObject({
      exchange_rate: testRates[currency],
      exchange_rate_source: 'built_in',
      exchange_rate_on: null,
      vat_stated_in: [{ currency: 'EUR', rate: '1', source: 'built_in', on: null }],
    })

    await pass({ key }, 'P1M')
    const { data } = await get(key, `/v1/customers/${customerId}/subscriptions`)
    const subscription = `/v1/subscriptions/${data[0].id}`
    const now = { applyImmediately: true, invoiceImmediately: true }
    expect((await send(`PATCH ${subscription}`, { key, body: { quantity: 3, ...now } })).status).toBe(200)
    await drainTasks()
    const [changed, renewed] = (await get(key, '/v1/orders')).data
    expect(renewed).toMatchObject({ status: 'paid', lines: [{ basePrice: own(monthly), subtotal: own(monthly) }] })
    const [credit, charge] = changed.lines
    expect(changed).toMatchObject({ status: 'paid', total: { currency } })
    expect([credit.subtotal, charge.subtotal]).toEqual([own(`-${monthly}`), own((3 * Number(monthly)).toFixed(2))])

    const part = { items: [{ itemId: order.lines[0].id, amount: own('1.11') }] }
    expect((await send(`POST /v1/orders/${orderId}/refunds`, { key, body: part })).status).toBe(201)
    await pass({ key }, 'PT1M')
    expect((await get(key, '/v1/refunds')).data).toMatchObject([{ status: 'refunded', subtotal: own('1.11') }])
    const { chargebackId } = await raise(renewed.id, { reason: 'fraud' })
    await move(chargebackId, 'lost')
    await drainTasks()
    const settlementAmount = own((Number(renewed.total.value) + Number(fee)).toFixed(2))
    expect((await get(key, '/v1/chargebacks')).data).toMatchObject([
      { amount: renewed.total, total: renewed.total, settlementAmount },
    ])
    const creditNotes = await db().orders.findMany({ where: { credited_order_id: { not: null }, currency } })
    expect(creditNotes).toHaveLength(2)
    for (const each of creditNotes)
      expect(each).toMatchObject({ vat_stated_in: row.vat_stated_in, exchange_rate: testRates[currency] })

    const books = await balance(scope)
    expect(new Set(books.map((each) => each.currency))).toEqual(new Set([currency]))
    const owed = books.find(({ account }) => account === 'merchant_balance')?.amount.replace('-', '') ?? ''
    await expect(createPayout(scope, { amount: '0.01' })).rejects.toMatchObject({
      on: { amount: ['Must be at most the balance, 0.00 EUR.'] },
    })
    expect(await createPayout(scope, { amount: owed, currency })).toMatchObject({ balance: '0.00' })
    expect(await brokenInvariants()).toEqual({})
  },
)

it('the test cases for sale currencies cover every currency except EUR', () => {
  expect(currencies).toHaveLength(1 + 8)
})
