import { beforeAll, expect, it } from 'vitest'
import { approveReview } from '../modules/catalog/operations.ts'
import { addRegistration } from '../modules/tax/operations.ts'
import { db } from '../platform/db/db.ts'
import { aCheckout, aProduct, price } from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aSale } from '../testing/money-back.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { atSecondProvider, takePaymentsAtSecondProvider } from '../testing/second-provider.ts'
import { aShop, type Shop, tokenOf } from '../testing/shop.ts'
import { syncWithProvider } from '../testing/sync-payment.ts'
import { submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { thresholdsPage } from './pages.ts'

takePaymentsAtSecondProvider('live')

let shop: Shop
let cookies: string | null

beforeAll(async () => {
  shop = await aShop()
  ;({ cookies } = await anOperator('thresholds@example.com'))
})

async function sell(basePrice: string, country: string): Promise<void> {
  const { id } = await aProduct(shop.liveKey, { basePrice: price(basePrice) })
  await approveReview(id)
  const checkout = await aCheckout(shop.liveKey, id, { products: [{ id, quantity: 1 }] })
  const buyer = { email: 'ada@example.com', fullName: 'Ada', paymentMethod: 'creditcard', confirmCountry: country }
  const visitor = { acceptLanguage: 'en', header: () => null }
  await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), new URLSearchParams({ ...buyer, country }), visitor)
  const ref = atSecondProvider.payments().at(-1)?.ref ?? ''
  atSecondProvider.decide(ref, { status: 'paid' })
  await syncWithProvider({ storefrontId: shop.storefrontId, testmode: false }, ref)
}

const shown = async (year: string | null = null) => {
  const page = await thresholdsPage({ year }, cookies)
  return page?.rows.map(({ country, sold, standing, threshold }) => [
    ...[country, sold.value, standing, threshold && `${threshold.percent} % of ${threshold.amount.value}`],
  ])
}

it('the thresholds page lists live sales abroad, with reached thresholds first, then near thresholds, then all others', async () => {
  const unsold = ['CH', 'GB', 'NO'] as const
  expect((await shown())?.map(([country, , standing]) => [country, standing])).toEqual(
    ['CA', 'CH', 'EU', 'GB', 'NO'].map((country) => [country, 'unsold']),
  )
  await sell('7999.99', 'DE')
  await sell('100.00', 'US')
  // Domestic sales and test sales do not count toward a threshold.
  await sell('5000.00', 'NL')
  await aSale({ shop, price: '9000.00', buyer: { country: 'FR' } })
  const [first, second, ...others] = (await shown()) ?? []
  expect([first, second]).toEqual([
    ['EU', '7999.99', 'below', '79 % of 10000.00'],
    ['US', '100.00', 'unknown', null],
  ])
  expect(others.map(([country, sold, standing]) => [country, sold, standing])).toEqual(
    ['CA', ...unsold].map((country) => [country, '0.00', 'unsold']),
  )
  await sell('0.01', 'FR')
  await sell('5.00', 'GB')
  expect((await shown())?.slice(0, 2)).toEqual([
    ['GB', '5.00', 'reached', '100 % of 0.00'],
    ['EU', '8000.00', 'near', '80 % of 10000.00'],
  ])
  await addRegistration({ country: 'NL', number: 'NL004495445B01', scheme: 'oss', from: '2026-01-01' })
  expect((await shown())?.find(([country]) => country === 'EU')?.[2]).toBe('registered')
  expect(await brokenInvariants()).toEqual({})
})

it('the thresholds page shows the sums of a past year, or of the current year if the requested year is unknown', async () => {
  const now = new Date().getUTCFullYear()
  const page = await thresholdsPage({ year: String(now - 1) }, cookies)
  expect(page).toMatchObject({ year: String(now - 1), isFinal: true, years: [{ name: String(now) }, {}, {}] })
  expect(page?.rows.every(({ sold }) => sold.value === '0.00')).toBe(true)
  for (const year of [null, '1999', 'x', String(now + 1)])
    expect(await thresholdsPage({ year }, cookies), String(year)).toMatchObject({ year: String(now), isFinal: false })
})

it('the page of tax thresholds is not shown to members of merchants or without a valid session', async () => {
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
  const member = await aMember('owner@example.com', merchant_id, 'owner')
  for (const stranger of [null, '', '__Host-billhook-operator=x', member.cookies])
    expect(await thresholdsPage({}, stranger)).toBeNull()
})
