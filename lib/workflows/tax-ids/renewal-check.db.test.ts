import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { approveReview } from '../../modules/catalog/operations.ts'
import * as config from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { resetVies } from '../../providers/vies/client.ts'
import { send } from '../../testing/api.ts'
import { aCheckout, aPlan, price } from '../../testing/factories.ts'
import { atSecondProvider, takePaymentsAtSecondProvider } from '../../testing/second-provider.ts'
import { aShop, type Shop, tokenOf } from '../../testing/shop.ts'
import { startVies, type Vies } from '../../testing/stand-ins/vies.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { submitBillingUpdate } from '../billing-update/submit-billing-update.ts'
import { submitInvoiceUpdate } from '../invoice-update/submit-invoice-update.ts'
import { submit } from '../sale/submit-checkout.ts'

takePaymentsAtSecondProvider('live')

let shop: Shop
let vies: Vies
let planId: string

const company = {
  country: 'DE',
  companyName: 'Beispiel GmbH',
  streetAndNumber: 'Weg 1',
  postalCode: '10115',
  city: 'Berlin',
}
const buyer = { email: 'ada@example.com', fullName: 'Ada' }
const [first, other] = ['DE136695976', 'DE129273398']

beforeAll(async () => {
  shop = await aShop()
  vies = await startVies()
  ;({ id: planId } = await aPlan(shop.liveKey, { basePrice: price('100.00'), interval: 'year', intervalCount: 1 }))
  await approveReview(planId)
})

afterAll(() => vies.close())

beforeEach(async () => {
  resetVies()
  const real = config.readConfig(process.env)
  vi.spyOn(config, 'config').mockReturnValue({ ...real, vies: { apiBase: vies.url, acceptsUnknown: false } })
  await db().tax_id_checks.deleteMany()
  for (const id of [first, other])
    vies.register({ countryCode: 'DE', vatNumber: id.slice(2), name: 'Beispiel GmbH', address: 'Berlin' })
})

async function decideLast(ref: string): Promise<void> {
  const mandate = { ref: `mandate ${ref}`, provider: 'second', method: 'card', maskedIdentifier: '4242' } as const
  atSecondProvider.decide(ref, { status: 'paid', mandate: { ...mandate, status: 'valid' } })
  await syncWithProvider({ storefrontId: shop.storefrontId, testmode: false }, ref)
}
const lastRef = () => atSecondProvider.payments().at(-1)?.ref ?? ''

async function subscribed(taxId: string) {
  const checkout = await aCheckout(shop.liveKey, planId)
  const form = { ...buyer, ...company, taxId, confirmCountry: 'DE', paymentMethod: 'creditcard' }
  await submit(tokenOf(checkout.links.checkoutUrl.href), new URLSearchParams(form), {
    acceptLanguage: 'en',
    header: () => null,
  })
  await decideLast(lastRef())
  const { id: orderId } = await db().orders.findUniqueOrThrow({ where: { checkout_id: checkout.id } })
  const { id, renewed_until } = await db().subscriptions.findFirstOrThrow({
    where: { storefront_id: shop.storefrontId, status: 'active' },
    orderBy: { id: 'desc' },
  })
  const asked = async () => {
    const tasks = await db().tasks.findMany({ where: { name: 'tax.check_id', key: { startsWith: `${id} ` } } })
    return tasks.map(({ data, due_at }) => {
      const before = (renewed_until?.getTime() ?? 0) - due_at.getTime()
      return [(data as { taxId: string }).taxId, before / 3_600_000]
    })
  }
  return { id, orderId, asked }
}

async function updateBilling(id: string, form: Record<string, string>): Promise<void> {
  const redirects = { redirectUrlSuccess: 'https://shop.example/ok', redirectUrlCanceled: 'https://shop.example/no' }
  const { body } = await send(`POST /v1/subscriptions/${id}/billing-update-link`, {
    key: shop.liveKey,
    body: redirects,
  })
  const sent = new URLSearchParams({ ...company, fullName: 'Ada', version: '0', ...form })
  await submitBillingUpdate(tokenOf(body.href), sent, { acceptLanguage: 'en' })
}

it('before a renewal, the registry is asked about the tax ID from a billing update', async () => {
  const { id, asked } = await subscribed('')
  expect(await asked()).toEqual([])
  await updateBilling(id, { taxId: first, paymentMethod: 'keep' })
  expect(await asked()).toEqual([[first, 24]])

  await updateBilling(id, { taxId: other, paymentMethod: 'creditcard' })
  expect(await asked()).toEqual([[first, 24]])
  await decideLast(lastRef())
  expect(await asked()).toEqual([[other, 24]])
})

it('before a renewal, the registry is asked about the tax ID from an invoice update', async () => {
  const { orderId, asked } = await subscribed(first)
  expect(await asked()).toEqual([[first, 24]])
  const { body } = await send(`POST /v1/orders/${orderId}/invoice-update-link`, { key: shop.liveKey })
  const form = { ...company, fullName: 'Ada', taxId: other, useForLaterOrders: 'true' }
  await submitInvoiceUpdate(tokenOf(body.href), new URLSearchParams(form))
  expect(await asked()).toEqual([[other, 24]])
})
