import { afterAll, beforeAll, expect, it } from 'vitest'
import { lastDayOf } from '../../kernel/calendar-period.ts'
import { approveReview, startReview } from '../../modules/catalog/operations.ts'
import { saveRates } from '../../modules/exchange/store.ts'
import { quarterOf } from '../../modules/tax/rules/index.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { answer } from '../../testing/command-line.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, tokenOf } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie } from '../../testing/stand-ins/live-provider.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { afterReturn, submitCheckout } from '../sale/submit-checkout.ts'

let mollie: LiveProvider
beforeAll(async () => {
  mollie = await liveMollie()
  Object.assign(config(), { mollie: mollie.account, livePayments: 'mollie' })
})
afterAll(() => mollie.close())

const today = realNow().toISOString().slice(0, 10)
const quarter = quarterOf(today)

async function soldTo(country: string, currency: string) {
  const shop = await aShop()
  const { id } = await stock.aProduct(shop.liveKey, { basePrice: stock.price('100.00') })
  await startReview(id)
  await approveReview(id)
  const checkout = await stock.aCheckout(shop.liveKey, id)
  const token = tokenOf(checkout.links.checkoutUrl.href)
  await submitCheckout(token, buyerForm({ country, currency }), germanVisitor)
  const payment = mollie.payments().at(-1)
  mollie.pay(payment?.ref ?? '')
  await afterReturn(token)
  await runDueTasks()
  const { orderId } = await get(shop.liveKey, `/v1/checkouts/${checkout.id}`)
  return { paid: payment?.amount, order: await db().orders.findUniqueOrThrow({ where: { id: orderId } }) }
}

it('sales in kronor and zloty use the rate of the day, and the tax return uses the quarter’s last rate', async () => {
  await saveRates(
    db(),
    [
      { currency: 'SEK', day: today, rate: '11.20' },
      { currency: 'PLN', day: today, rate: '4.25' },
    ],
    realNow(),
  )
  const swedish = await soldTo('SE', 'SEK')
  expect(swedish.paid).toBe('1400.00 SEK')
  const statedIn = [{ currency: 'EUR', rate: '1', source: 'built_in', on: null }]
  expect(swedish.order).toMatchObject({
    status: 'paid',
    exchange_rate: '11.20',
    exchange_rate_source: 'ecb',
    exchange_rate_on: new Date(today),
    vat_stated_in: statedIn,
  })
  const polish = await soldTo('PL', 'PLN')
  expect(polish).toMatchObject({ paid: '522.75 PLN', order: { exchange_rate: '4.25', vat_stated_in: statedIn } })

  const rows = () => answer(`tax-return oss --period ${quarter} --mode live --json`)
  const row = { record: 'supply', period: quarter, rateType: 'standard', status: 'provisional' }
  expect(await rows()).toMatchObject([
    { ...row, country: 'PL', rate: '23', taxable: '100.00', tax: '23.00' },
    { ...row, country: 'SE', rate: '25', taxable: '100.00', tax: '25.00' },
    { record: 'balance', country: 'PL', tax: '23.00' },
    { record: 'balance', country: 'SE', tax: '25.00' },
    { record: 'total', tax: '48.00' },
  ])
  // The quarter has ended, so the rate of its last day applies (Directive 2006/112/EC, art. 369h).
  await saveRates(
    db(),
    [
      { currency: 'SEK', day: lastDayOf(quarter), rate: '14.00' },
      { currency: 'PLN', day: lastDayOf(quarter), rate: '4.00' },
    ],
    realNow(),
  )
  expect(await rows()).toMatchObject([
    { ...row, country: 'PL', taxable: '106.25', tax: '24.44' },
    { ...row, country: 'SE', taxable: '80.00', tax: '20.00' },
    { record: 'balance', country: 'PL', tax: '24.44' },
    { record: 'balance', country: 'SE', tax: '20.00' },
    { record: 'total', tax: '44.44' },
  ])
  const totals = await answer(`tax-return totals --period ${quarter} --mode live --json`)
  const sums = totals.filter(({ declaration }: { declaration: string }) => declaration === 'all')
  expect(sums).toMatchObject([
    { currency: 'SEK', taxAmount: '280.00', ledger: '280.00', difference: '0.00' },
    { currency: 'PLN', taxAmount: '97.75', ledger: '97.75', difference: '0.00' },
  ])
  expect(await brokenInvariants()).toEqual({})
})
