import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { config } from '../../platform/config.ts'
import { registry } from '../../providers/registry.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMonthLater, aShopOf } from '../../testing/live-sales.ts'
import { runDueTasks } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { findMissedChargebacks } from '../provider-notices/missed.ts'

/** A returned direct debit at the stand-in of each provider of live payments, which still calls the returned payment paid. */

const started: LiveProvider[] = []
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => Promise.all(started.map((provider) => provider.close())))

describe.each([
  ['Mollie', liveMollie],
  ['Stripe', liveStripe],
] as const)('at %s', (_title, start) => {
  let provider: LiveProvider
  beforeAll(async () => {
    provider = await start()
    started.push(provider)
    Object.assign(config(), { [provider.name]: provider.account, livePayments: provider.name })
  })

  it('the retry makes a charge of its own, which pays the order', async () => {
    // On a test clock weeks pass in a moment.
    const its = registry.providers.find(({ name }) => name === provider.name) ?? null
    vi.spyOn(registry, 'ofNewPayments', 'get').mockReturnValue({ test: its, live: its })
    const { key, charges } = await aShopOf(provider, 1, 'ideal')
    await aMonthLater(key)
    const [returned] = charges()
    provider.pay(returned?.ref ?? '')
    await pass({ key }, 'PT2H')
    provider.returnDebit(returned?.ref ?? '')
    await findMissedChargebacks()
    await runDueTasks()
    const statuses = async () =>
      (await get(key, '/v1/orders')).data.map(({ status }: { status: string }) => status).reverse()
    expect(await statuses()).toEqual(['paid', 'pending'])
    await pass({ key }, 'P2DT1H')
    expect(await statuses()).toEqual(['paid', 'pending'])
    const [, retry, ...others] = charges()
    expect(others).toEqual([])
    expect(retry?.ref).not.toBe(returned?.ref)
    provider.pay(retry?.ref ?? '')
    await pass({ key }, 'PT2H')
    expect(await statuses()).toEqual(['paid', 'paid'])
    expect(await brokenInvariants()).toEqual({})
  })
})
