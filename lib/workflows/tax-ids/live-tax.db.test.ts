import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMerchant } from '../../modules/accounts/operations.ts'
import { approveReview, startReview } from '../../modules/catalog/operations.ts'
import { db } from '../../platform/db/db.ts'
import { resetVies } from '../../providers/vies/client.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type MollieStandIn, startMollie } from '../../testing/stand-ins/mollie.ts'
import { startVies } from '../../testing/stand-ins/vies.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { quote, submit } from '../sale/hosted.ts'
import { syncWithProvider } from '../sale/sync-payment.ts'
import { showEvidence } from './evidence.ts'

/** Live sales with their tax, by Mollie's stand-in and VIES's. */

const set = vi.hoisted(() => ({ mollie: null as object | null, vies: { base: '', acceptsUnknown: true } }))
vi.mock('../../platform/config.ts', async (original) => {
  const platform = await original<typeof import('../../platform/config.ts')>()
  return { ...platform, config: () => ({ ...platform.config(), ...set }) }
})

let mollie: MollieStandIn
let vies: Awaited<ReturnType<typeof startVies>>
let shop: Shop
let planId: string

beforeAll(async () => {
  mollie = await startMollie()
  vies = await startVies()
  set.mollie = { apiKey: mollie.apiKey, base: mollie.url }
  set.vies.base = vies.url
  await createMerchant({ name: 'Another' })
  shop = await aShop()
  ;({ id: planId } = await stock.aPlan(shop.liveKey, { basePrice: stock.price('10.00') }))
  await startReview(planId)
  await approveReview(planId)
})
afterAll(() => Promise.all([mollie.close(), vies.close()]))
beforeEach(async () => {
  resetVies()
  vies.behavior = 'answers'
  set.vies.acceptsUnknown = true
  await db().tax_id_checks.deleteMany()
})

const company = {
  ...{ companyName: 'Acme SA', streetAndNumber: 'Rue 1', postalCode: '1000', city: 'Bruxelles', country: 'BE' },
  taxId: 'BE 0403.019.261',
}

/** A buyer sends the form and pays. Returns the order; null if the page has problems. */
async function buy(form: Record<string, string>) {
  const checkout = await stock.aCheckout(shop.liveKey, planId)
  const token = tokenOf(checkout.links.checkoutUrl.href)
  const visitor = { ...germanVisitor, header: () => 'BE' }
  const sent = await submit(token, buyerForm({ email: `${checkout.id}@example.com`, ...form }), visitor)
  if (!sent?.redirectTo.startsWith(mollie.url)) return null
  const payment = mollie.books.payments.at(-1)
  mollie.decide(payment?.id ?? '', 'paid')
  await syncWithProvider({ storefrontId: shop.storefrontId, testmode: false }, payment?.id ?? '')
  const { orderId } = await get(shop.liveKey, `/v1/checkouts/${checkout.id}`)
  return get(shop.liveKey, `/v1/orders/${orderId}`)
}

const taxOf = (order: Awaited<ReturnType<typeof buy>>) => [
  order?.total.value,
  order?.taxSummary.map(({ taxRate: { name, percentage } }: { taxRate: Record<string, unknown> }) => ({
    name,
    percentage,
  })),
]
const evidenceOf = (order: { id: string }) => db().tax_evidence.findUnique({ where: { order_id: order.id } })

describe('a live sale', () => {
  it('to a company with a valid ID is without tax, and the answer of the register is kept', async () => {
    vies.companies.set('BE0403019261', { name: 'ACME SA', address: 'RUE 1\n1000 BRUXELLES' })
    const order = await buy(company)
    expect(taxOf(order)).toEqual(['10.00', [{ name: 'Reverse charge', percentage: 0 }]])
    expect(await evidenceOf(order)).toMatchObject({
      ...{ declared_country: 'BE', tax_id_result: 'valid', reason: 'reverse_charge' },
      consultation_number: expect.stringMatching(/^WAPI/),
    })
    expect(await showEvidence(order.id)).toMatchObject({
      ...{ taxId: 'BE 0403.019.261', ipCountry: null, sellerCountry: 'NL', rates: ['Reverse charge 0'] },
      registry: { result: 'valid', name: 'ACME SA', address: 'RUE 1\n1000 BRUXELLES' },
    })
    const subscription = await db().subscriptions.findFirstOrThrow({ orderBy: { id: 'desc' } })
    expect(subscription.accepted_tax_id).toBe('BE0403019261')
    expect(await brokenInvariants()).toEqual({})
  })

  it('asks the register once a day', async () => {
    vies.companies.set('BE0403019261', { name: 'ACME SA', address: '---' })
    const before = vies.asked.length
    await buy(company)
    await buy(company)
    expect(vies.asked.length).toBe(before + 1)
  })

  it('with a valid ID needs company and address', async () => {
    vies.companies.set('BE0403019261', { name: 'ACME SA', address: '---' })
    expect(await buy({ ...company, companyName: '', city: '' })).toBeNull()
  })

  it('with an ID that the register does not know is taxed', async () => {
    vies.companies.clear()
    const order = await buy(company)
    expect(taxOf(order)).toEqual(['12.10', [{ name: 'VAT', percentage: 21 }]])
    expect(await evidenceOf(order)).toMatchObject({ tax_id_result: 'invalid', reason: 'standard' })
  })

  it.each(['hangs up', 'is unavailable', 'answers 500', 'answers nonsense'] as const)(
    'while the register %s is without tax or with it, as configured, and is asked again',
    async (behavior) => {
      vies.behavior = behavior
      expect(taxOf(await buy(company))[0]).toBe('10.00')
      expect(await db().tax_id_checks.findFirst()).toMatchObject({ result: 'unknown', attempts: 1 })
      const task = await db().tasks.findFirstOrThrow({ where: { name: 'tax_id.check' } })
      expect(task.run_at.getTime() - Date.now()).toBeGreaterThan(4 * 60_000)
      await db().tax_id_checks.deleteMany()
      set.vies.acceptsUnknown = false
      expect(taxOf(await buy(company))[0]).toBe('12.10')
      await db().tasks.deleteMany({ where: { name: 'tax_id.check' } })
    },
  )

  it('with an ID that turns out to be invalid has tax from the next charge', async () => {
    vies.behavior = 'is unavailable'
    const order = await buy(company)
    expect(taxOf(order)[0]).toBe('10.00')
    vies.behavior = 'answers'
    vies.companies.clear()
    await db().$executeRaw`UPDATE tasks SET run_at = clock_timestamp() WHERE name = 'tax_id.check'`
    await runDueTasks()
    expect(await db().tax_id_checks.findFirst()).toMatchObject({ result: 'invalid' })
    const subscription = await db().subscriptions.findFirstOrThrow({ orderBy: { id: 'desc' } })
    expect(subscription.accepted_tax_id).toBeNull()
    expect(await evidenceOf(order)).toMatchObject({ tax_id_result: 'unknown' })
  })

  it.each([
    [{ country: 'PT', postalCode: '9000-039' }, '12.20'],
    [{ country: 'PT', postalCode: '1000-001' }, '12.30'],
    [{ country: 'ES', postalCode: '35001' }, '10.00'],
    [{ country: 'US', postalCode: '90210' }, '10.00'],
    [{ country: 'GB', postalCode: 'EC1A 1BB' }, '10.00'],
    [{ country: 'MC' }, '12.00'],
  ])('to a consumer in %j costs %s', async (form, total) => {
    expect(taxOf(await buy(form))[0]).toBe(total)
  })

  it('an ID of the wrong form is never asked for', async () => {
    const before = vies.asked.length
    expect(taxOf(await buy({ ...company, taxId: 'BE0403019262' }))[0]).toBe('12.10')
    expect(vies.asked.length).toBe(before)
  })

  it('shows the same before it is paid', async () => {
    vies.companies.set('BE0403019261', { name: 'ACME SA', address: '---' })
    const checkout = await stock.aCheckout(shop.liveKey, planId)
    const token = tokenOf(checkout.links.checkoutUrl.href)
    const asked = new URLSearchParams({ country: 'BE', taxId: company.taxId })
    expect(await quote(token, asked, germanVisitor)).toMatchObject({
      taxId: 'reverse_charge',
      total: { value: '10.00' },
    })
    for (const [query, total] of [
      [{ country: 'DE' }, '11.90'],
      [{ country: 'PT', postalCode: '9000-039' }, '12.20'],
    ] as const) {
      const shown = await quote(token, new URLSearchParams(query), germanVisitor)
      expect(shown).toMatchObject({ taxId: 'none', total: { value: total } })
    }
  })
})
