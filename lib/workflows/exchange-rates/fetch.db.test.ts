import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { currencies } from '../../kernel/currencies.ts'
import { approveReview, startReview } from '../../modules/catalog/operations.ts'
import { newestRates, ratesFor } from '../../modules/exchange/rates.ts'
import { rateFrom, saveRates } from '../../modules/exchange/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import * as stock from '../../testing/factories.ts'
import { aReceiver } from '../../testing/receiver.ts'
import { aShop, buyerForm, germanVisitor, tokenOf } from '../../testing/shop.ts'
import { startMollie } from '../../testing/stand-ins/mollie.ts'
import { quote } from '../sale/load-quote.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { fetchNewestRates } from './fetch.ts'

let mollie: Awaited<ReturnType<typeof startMollie>>
let bank: Awaited<ReturnType<typeof aReceiver>>
const rate = (currency: string, units: string) => `<Cube currency='${currency}' rate='${units}'/>`
const all = (dollars: string) =>
  [...currencies.slice(1), 'JPY', 'HUF'].map((each) => rate(each, each === 'USD' ? dollars : '2.5')).join('')
const published = { day: '2026-11-20', rates: all('1.2000'), status: 200 }
/** The rates of the US dollar by file and day. Files list the newest day first. */
const past: { [file: string]: Record<string, string> } = {}
const aDay = (day: string, rates: string) => `<Cube time='${day}'>${rates}</Cube>`

beforeAll(async () => {
  mollie = await startMollie()
  bank = await aReceiver((response, { path }) => {
    if (path === '/eurofxref-daily.xml')
      return response.writeHead(published.status).end(`<Cube>${aDay(published.day, published.rates)}</Cube>`)
    const days = Object.entries(past[path] ?? {}).map(([day, dollars]) => aDay(day, all(dollars)))
    return response.writeHead(days.length > 0 ? 200 : 404).end(`<Cube>${days.join('')}</Cube>`)
  })
  Object.assign(config(), {
    mollie: { apiKey: mollie.apiKey, base: mollie.url },
    livePayments: 'mollie',
    ecbRatesUrl: `http://127.0.0.1:${bank.port}/eurofxref-daily.xml`,
  })
})
afterAll(() => Promise.all([mollie.close(), bank.close()]))
beforeEach(async () => {
  await db().exchange_rates.deleteMany()
  bank.requests.length = 0
  Object.assign(published, { day: '2026-11-20', rates: all('1.2000'), status: 200 })
  for (const file of Object.keys(past)) delete past[file]
})

const live = { testmode: false }
const euro = { rate: '1', source: 'built_in', on: null }
const at = (moment: string) => new Date(moment)

it('the rates of a day are fetched once and are valid for a week', async () => {
  await fetchNewestRates(at('2026-11-20T17:00:00Z'))
  await fetchNewestRates(at('2026-11-20T18:00:00Z'))
  expect(bank.requests).toHaveLength(1)
  const ofBank = (units: string) => ({ rate: units, source: 'ecb', on: '2026-11-20' })
  const serving = Object.fromEntries(currencies.slice(1).map((each) => [each, ofBank('2.5')]))
  for (const moment of ['2026-11-20T18:00:00Z', '2026-11-27T23:59:59Z'])
    expect(await ratesFor(db(), live, at(moment))).toEqual({ ...serving, EUR: euro, USD: ofBank('1.2000') })
  const nothing = Object.fromEntries(currencies.slice(1).map((each) => [each, null]))
  expect(await ratesFor(db(), live, at('2026-11-28T00:00:00Z'))).toEqual({ ...nothing, EUR: euro })
  expect(await ratesFor(db(), { testmode: true }, at('2026-11-28T00:00:00Z'))).toMatchObject({
    EUR: euro,
    USD: { rate: '1.0850', source: 'built_in', on: null },
  })
  // Existing subscriptions renew at the last rate, or at the built-in rate if the bank never published a rate.
  expect(await newestRates(db(), live, at('2027-11-28T00:00:00Z'))).toMatchObject({
    EUR: euro,
    USD: ofBank('1.2000'),
    HUF: ofBank('2.5'),
    RON: { source: 'built_in' },
  })
})

it('on a day without new exchange rates, the last published rates apply', async () => {
  await fetchNewestRates(at('2026-11-20T17:00:00Z'))
  await fetchNewestRates(at('2026-11-22T17:00:00Z'))
  Object.assign(published, { day: '2026-11-23', rates: all('1.3') })
  await fetchNewestRates(at('2026-11-23T17:00:00Z'))
  expect(await db().exchange_rates.count({ where: { currency: 'USD' } })).toBe(2)
  expect(await ratesFor(db(), live, at('2026-11-23T18:00:00Z'))).toMatchObject({
    USD: { rate: '1.3', on: '2026-11-23' },
  })
  expect(await ratesFor(db(), live, at('2026-11-21T18:00:00Z'))).toMatchObject({
    USD: { rate: '1.2000', on: '2026-11-20' },
  })
})

it.each([
  [{ status: 503 }, 'answer 503'],
  [{ rates: rate('USD', 'n/a') }, 'has none'],
  [{ day: '2026-11-24' }, 'of a future day'],
])('fetching exchange rates fails if the bank responds with %j', async (different, message) => {
  Object.assign(published, different)
  await expect(fetchNewestRates(at('2026-11-23T17:00:00Z'))).rejects.toThrow(message)
  expect(await db().exchange_rates.count()).toBe(0)
})

it('a live checkout offers dollars at the rate of the day, and only euros if no rate is stored', async () => {
  const shop = await aShop()
  const { id } = await stock.aPlan(shop.liveKey, { basePrice: stock.price('10.00') })
  await startReview(id)
  await approveReview(id)
  const checkout = await stock.aCheckout(shop.liveKey, id)
  const token = tokenOf(checkout.links.checkoutUrl.href)
  const asked = new URLSearchParams({ country: 'US', currency: 'USD' })
  expect(await quote(token, asked, germanVisitor)).toMatchObject({
    currencies: ['EUR'],
    total: { value: '10.00', currency: 'EUR' },
  })

  const day = realNow().toISOString().slice(0, 10)
  await saveRates(db(), [{ currency: 'USD', day, rate: '1.2345' }], realNow())
  expect(await quote(token, asked, germanVisitor)).toMatchObject({ total: { value: '12.35', currency: 'USD' } })
  await submitCheckout(token, buyerForm({ country: 'US', currency: 'USD' }), germanVisitor)
  expect(mollie.books.payments.at(-1)?.amount).toEqual({ currency: 'USD', value: '12.35' })
  const order = await db().orders.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
  expect(order).toMatchObject({ exchange_rate: '1.2345', exchange_rate_source: 'ecb', exchange_rate_on: new Date(day) })
  const evidence = await db().sale_evidence.findUniqueOrThrow({ where: { order_id: order.id } })
  expect(evidence.exchange_rate_on?.toISOString().slice(0, 10)).toBe(day)
})

it('a currency is not offered while the bank omits its rate, and the rate is requested again in the next hour', async () => {
  Object.assign(published, { rates: rate('USD', '1.2000') })
  await fetchNewestRates(at('2026-11-20T17:00:00Z'))
  expect(await ratesFor(db(), live, at('2026-11-20T17:00:00Z'))).toMatchObject({ USD: { rate: '1.2000' }, SEK: null })
  Object.assign(published, { rates: all('1.3000') })
  await fetchNewestRates(at('2026-11-20T18:00:00Z'))
  expect(await ratesFor(db(), live, at('2026-11-20T18:00:00Z'))).toMatchObject({
    USD: { rate: '1.2000' },
    SEK: { rate: '2.5' },
  })
})

describe('days without rates', () => {
  const fetchOn = async (day: string, dollars: string) => {
    Object.assign(published, { day, rates: all(dollars) })
    await fetchNewestRates(at(`${day}T17:00:00Z`))
  }
  const dollarsOf = async (day: string) => (await rateFrom(db(), 'USD', day))?.rate ?? null
  const paths = () => bank.requests.map(({ path }) => path)

  it('rates of missed days are fetched from the 90-day file, and stored rates do not change', async () => {
    await fetchOn('2026-09-29', '1.10')
    past['/eurofxref-hist-90d.xml'] = {
      '2026-10-02': '1.99',
      '2026-10-01': '1.12',
      '2026-09-30': '1.11',
      '2026-09-29': '1.99',
      '2026-09-28': '1.09',
    }
    await fetchOn('2026-10-02', '1.13')
    const days = ['2026-09-28', '2026-09-29', '2026-09-30', '2026-10-01', '2026-10-02', '2026-10-03']
    expect(await Promise.all(days.map(dollarsOf))).toEqual([null, '1.10', '1.11', '1.12', '1.13', null])
    await fetchNewestRates(at('2026-10-02T18:00:00Z'))
    expect(paths()).toEqual(['/eurofxref-daily.xml', '/eurofxref-daily.xml', '/eurofxref-hist-90d.xml'])
  })

  it('rates of days more than 80 days ago are fetched from the file with the full history', async () => {
    await fetchOn('2026-05-28', '1.10')
    past['/eurofxref-hist.xml'] = { '2026-09-25': '1.3', '2026-06-30': '1.2', '2026-05-29': '1.1' }
    await fetchOn('2026-09-28', '1.4')
    expect(await dollarsOf('2026-06-30')).toBe('1.2')
    expect(paths().at(-1)).toBe('/eurofxref-hist.xml')
    // Days for which the bank published no rates are not requested again.
    await fetchNewestRates(at('2026-09-28T18:00:00Z'))
    expect(paths()).toHaveLength(3)
  })

  it('rates of missed days are requested again an hour after a failed request', async () => {
    await fetchOn('2026-03-26', '1.10')
    await expect(fetchOn('2026-04-01', '1.20')).rejects.toThrow('answer 404')
    expect([await dollarsOf('2026-03-31'), await dollarsOf('2026-04-01')]).toEqual([null, '1.20'])
    past['/eurofxref-hist-90d.xml'] = { '2026-03-31': '1.13', '2026-03-30': '1.12', '2026-03-27': '1.11' }
    await fetchNewestRates(at('2026-04-01T18:00:00Z'))
    expect(await dollarsOf('2026-03-31')).toBe('1.13')
    // The bank publishes no rates on Good Friday and Easter Monday, so rates of these days are not missing.
    await fetchOn('2026-04-02', '1.3')
    bank.requests.length = 0
    await fetchOn('2026-04-07', '1.4')
    expect(paths()).toEqual(['/eurofxref-daily.xml'])
  })
})
