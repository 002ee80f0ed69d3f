import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest'
import { approveReview } from '../modules/catalog/operations.ts'
import * as config from '../platform/config.ts'
import { db } from '../platform/db/db.ts'
import { resetVies } from '../providers/vies/client.ts'
import { quote } from '../workflows/sale/load-quote.ts'
import { submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { send } from './api.ts'
import { aCheckout, aPlan, price } from './factories.ts'
import { atSecondProvider, takePaymentsAtSecondProvider } from './second-provider.ts'
import { aShop, type Shop, tokenOf } from './shop.ts'
import { startVies, type Vies } from './stand-ins/vies.ts'
import { syncWithProvider } from './sync-payment.ts'

export const german = { country: 'DE', taxId: 'DE136695976' }
export const company = { companyName: 'Beispiel GmbH', streetAndNumber: 'Weg 1', postalCode: '10115', city: 'Berlin' }
export const buyer = { email: 'ada@example.com', fullName: 'Ada', paymentMethod: 'creditcard' }
export const visitor = { acceptLanguage: 'en', header: (name: string) => (name === 'cf-ipcountry' ? 'DE' : null) }

/** The values that `liveTaxShop` creates before the tests of a file run. */
interface Started {
  readonly shop: Shop
  readonly vies: Vies
  readonly planId: string
}

type Given = { acceptsUnknown?: boolean } & Partial<config.Config>

/**
 * Prepares a test file for sales in live mode. Creates a storefront with an approved plan for 100.00 EUR (`plan`
 * changes the plan), and starts a simulated VIES server. The test payment provider of `second-provider.ts` takes the
 * payments. Before each test, deletes the checks of tax IDs, and resets the configuration. Call this function at the
 * top level of the file.
 */
export function liveTaxShop(plan: object = {}) {
  takePaymentsAtSecondProvider('live')
  let started: Started | undefined
  const live = (): Started => {
    if (!started) throw new Error('the tests have not started')
    return started
  }
  const configured = ({ acceptsUnknown = false, ...given }: Given = {}) => {
    const real = config.readConfig(process.env)
    const vies = { apiBase: live().vies.url, acceptsUnknown }
    vi.spyOn(config, 'config').mockReturnValue({ ...real, vies, geoHeader: 'cf-ipcountry', ...given })
  }
  beforeAll(async () => {
    const shop = await aShop()
    const { id: planId } = await aPlan(shop.liveKey, { basePrice: price('100.00'), ...plan })
    await approveReview(planId)
    started = { shop, vies: await startVies(), planId }
  })
  afterAll(() => live().vies.close())
  beforeEach(async () => {
    resetVies()
    live().vies.fail(null)
    configured()
    await db().tax_id_checks.deleteMany()
    await db().tasks.deleteMany({ where: { name: 'tax.check_id' } })
  })
  return {
    get shop() {
      return live().shop
    },
    get vies() {
      return live().vies
    },
    get planId() {
      return live().planId
    },
    configured,
    aSale: () => aSale(live()),
    async decideLast(outcome: Parameters<typeof atSecondProvider.decide>[1]): Promise<void> {
      const ref = atSecondProvider.payments().at(-1)?.ref ?? ''
      atSecondProvider.decide(ref, outcome)
      await syncWithProvider({ storefrontId: live().shop.storefrontId, testmode: false }, ref)
    },
    registered: () =>
      live().vies.register({ countryCode: 'DE', vatNumber: '136695976', name: 'Beispiel GmbH', address: 'Berlin' }),
    tasks: () => db().tasks.findMany({ where: { name: 'tax.check_id', storefront_id: live().shop.storefrontId } }),
    async invoiceToken(order: { id: string } | null): Promise<string> {
      const link = await send(`POST /v1/orders/${order?.id}/invoice-update-link`, { key: live().shop.liveKey })
      expect(link.status, JSON.stringify(link.body)).toBe(200)
      return tokenOf(link.body.href)
    },
  }
}

async function aSale({ shop, planId }: Started) {
  const checkout = await aCheckout(shop.liveKey, planId)
  const token = tokenOf(checkout.links.checkoutUrl.href)
  const ask = async (form: Record<string, string>) => {
    const found = await quote(token, new URLSearchParams(form), visitor)
    if (!found) throw new Error('there is no quote')
    const [tax] = found.taxes
    return { ...found, tax: `${tax?.name} ${tax?.percentage}`, total: found.total.value }
  }
  // A buyer must confirm a country that differs from the country of the IP address, so each form confirms its country.
  const pay = (form: Record<string, string>) =>
    submitCheckout(token, new URLSearchParams({ ...buyer, confirmCountry: form.country ?? '', ...form }), visitor)
  const order = () => db().orders.findUnique({ where: { checkout_id: checkout.id } })
  return { checkout, token, ask, pay, order }
}
