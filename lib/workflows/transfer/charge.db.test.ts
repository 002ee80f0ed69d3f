import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { registry } from '../../providers/registry.ts'
import { send } from '../../testing/api.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { takePaymentsAt } from '../../testing/live-sales.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { hold, release } from './hold.ts'

describe.each([
  ['Mollie', liveMollie],
  ['Stripe', liveStripe],
] as const)('a hold of a storefront loses and repeats no charge at %s', (_title, start) => {
  let provider: LiveProvider
  let shop: Shop

  beforeAll(async () => {
    provider = await start()
    takePaymentsAt(provider)
  })
  afterAll(() => provider.close())
  beforeEach(async () => {
    shop = await aShop()
    await chargeWaits()
  })

  const its = () => {
    const found = registry.providers.find(({ name }) => name === provider.name)
    if (!found) throw new Error(`there is no ${provider.name}`)
    return found
  }
  async function chargeWaits(): Promise<void> {
    const { id } = await factories.aPlan(shop.testKey, { basePrice: factories.price('10.00') })
    const checkout = await factories.aCheckout(shop.testKey, id)
    await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), buyerForm(), germanVisitor)
    const { ref } = provider.payments().findLast(({ kind }) => kind === 'with a mandate') ?? { ref: '' }
    provider.pay(ref)
    await syncWithProvider({ storefrontId: shop.storefrontId, testmode: true }, ref)
    await runDueTasks()
    const [subscription] = (await get(shop.testKey, '/v1/subscriptions')).data
    const body = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
    const changed = await send(`PATCH /v1/subscriptions/${subscription.id}`, { key: shop.testKey, body })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  }
  const charges = () => {
    const { customerRef } = provider.payments().findLast(({ kind }) => kind === 'with a mandate') ?? {}
    return provider.payments().filter((each) => each.kind === 'on a mandate' && each.customerRef === customerRef)
  }
  async function begun(): Promise<unknown[]> {
    const { id } = await db().payments.findFirstOrThrow({
      where: { storefront_id: shop.storefrontId },
      orderBy: { id: 'desc' },
    })
    const where = { payment_id: id }
    return provider.name === 'mollie'
      ? db().mollie_payments.findMany({ where })
      : db().stripe_payments.findMany({ where })
  }
  async function isChargedOnceAfterRelease(): Promise<void> {
    provider.forgetKeys()
    await release(shop.storefrontId)
    await db().$executeRaw`
      UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()) WHERE last_error IS NOT NULL`
    await runDueTasks()
    expect(charges()).toMatchObject([{ status: 'paid' }])
    expect(await brokenInvariants()).toEqual({})
  }

  it('if a storefront is put on hold before a charge is recorded, the provider gets no charge request until the release', async () => {
    const { chargeMandate } = its()
    vi.spyOn(its(), 'chargeMandate').mockImplementationOnce(async (...request) => {
      await hold(shop.storefrontId)
      expect(await begun()).toEqual([])
      return chargeMandate.apply(its(), request)
    })
    await runDueTasks()
    expect(charges()).toEqual([])
    expect(await begun()).toEqual([])
    await isChargedOnceAfterRelease()
  })

  it('if a charge is recorded before a storefront is put on hold, the provider gets one request, and the result is found after the release', async () => {
    const theHold = {
      sql: 'SELECT pg_advisory_xact_lock(20261124, hashtext($1))',
      values: [shop.storefrontId],
    }
    await raceBehind<unknown>(theHold, [() => runDueTasks(), () => hold(shop.storefrontId)], 2, undefined, {
      inTurn: true,
    })
    expect(await begun()).toHaveLength(1)
    expect(charges()).toMatchObject([{ status: 'paid' }])
    await isChargedOnceAfterRelease()
  })
})
