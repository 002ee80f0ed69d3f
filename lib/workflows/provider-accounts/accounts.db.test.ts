import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { POST } from '@/app/api/providers/[provider]/route.ts'
import { approveReview } from '../../modules/catalog/operations.ts'
import { db } from '../../platform/db/db.ts'
import { serviceStates } from '../../providers/index.ts'
import { send } from '../../testing/api.ts'
import { answer, cli, isRefused } from '../../testing/command-line.ts'
import { configure } from '../../testing/configure.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { oneAddress } from '../../testing/stand-ins/one-address.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { travelTo } from '../../testing/time-travel.ts'
import { revokeUnusedMandates } from '../mandates/revoke.ts'
import { findMissedChargebacks } from '../provider-notices/missed.ts'
import { reconcileNow } from '../reconciliation/daily.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

const cases = [
  { provider: 'mollie', start: liveMollie, prefix: 'live_', otherMode: 'test_ownownownown' },
  { provider: 'stripe', start: liveStripe, prefix: 'sk_live_', otherMode: 'sk_test_ownownownown' },
] as const

let toTheBeginning: (() => Promise<void>) | null = null
afterAll(async () => {
  await toTheBeginning?.()
})

describe.each(cases)(
  'a storefront can have its own account at $provider',
  ({ provider: name, start, prefix, otherMode }) => {
    const upper = name.toUpperCase()
    const keys = {
      house: `${prefix}househousehouse`,
      own: `${prefix}ownownownownown`,
      rolled: `${prefix}rolledrolledrolled`,
    }
    let house: LiveProvider
    let own: LiveProvider
    let address: Awaited<ReturnType<typeof oneAddress>>
    let shops: { own: Shop; other: Shop }
    let plans: { own: string; other: string }
    let accountId: string

    const setAccount = (shop: Shop, key: string) =>
      `provider-account set --storefront ${shop.storefrontId} --provider ${name} --api-key ${key}`
    const notify = async (at: LiveProvider, ref: string, account: string | null) => {
      const { body, contentType } = at.noticeOf(ref)
      const provider = account === null ? name : `${name}-${account}`
      const request = new Request('http://localhost', {
        method: 'POST',
        body,
        headers: { 'content-type': contentType },
      })
      const { status } = await POST(request, { params: Promise.resolve({ provider }) })
      const [{ isDue } = { isDue: false }] = await db().$queryRaw<{ isDue: boolean }[]>`
      SELECT run_at < clock_timestamp() + interval '2 seconds' AS "isDue" FROM tasks WHERE name = 'payment.sync' AND key = ${ref}`
      return { status, isDue }
    }
    async function onPage(which: 'own' | 'other', at: LiveProvider) {
      const key = shops[which].liveKey
      const checkout = await stock.aCheckout(key, plans[which])
      const form = buyerForm({ email: `${checkout.id}@example.com` })
      const sent = await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), form, germanVisitor)
      const payment = at.payments().findLast(({ kind }) => kind === 'with a mandate')
      expect(sent?.redirectTo).toBe(`${at.url}/checkout/${payment?.ref}`)
      return { checkout, ref: payment?.ref ?? '' }
    }
    async function pay(
      { checkout, ref }: Awaited<ReturnType<typeof onPage>>,
      which: 'own' | 'other',
      at: LiveProvider,
    ) {
      at.pay(ref)
      await later(0)
      expect(await get(shops[which].liveKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'paid' })
    }
    let day = new Date('2027-03-01T10:00:00Z')
    async function later(days: number): Promise<void> {
      day = new Date(day.getTime() + days * 86_400_000 + 60_000)
      await travelTo(day.toISOString())
      await runDueTasks(1000)
    }
    const charges = (at: LiveProvider) => at.payments().filter(({ kind }) => kind === 'on a mandate')

    beforeAll(async () => {
      await travelTo(day.toISOString())
      toTheBeginning ??= await takeSnapshot()
      await toTheBeginning()
      house = await start({ apiKey: keys.house })
      own = await start({ apiKey: keys.own })
      address = await oneAddress([house, own])
      configure({ [`${upper}_API_KEY`]: keys.house, [`${upper}_API_BASE`]: address.url })
      house.reset()
      shops = { own: await aShop({ name: 'Own' }), other: await aShop({ name: 'Other' }) }
      const aPlan = async ({ liveKey }: Shop) => {
        const { id } = await stock.aPlan(liveKey, { basePrice: stock.price('10.00') })
        await approveReview(id)
        return id
      }
      plans = { own: await aPlan(shops.own), other: await aPlan(shops.other) }
      // Later tests charge the subscription after a dispute, so disputes must not end the subscription.
      await answer(`storefront set --storefront ${shops.own.storefrontId} --disputes-end-subscriptions off --json`)
      ;({ accountId } = await answer(`${setAccount(shops.own, keys.own)} --json`))
    })
    afterAll(async () => {
      configure({ [`${upper}_API_KEY`]: undefined, [`${upper}_API_BASE`]: undefined })
      address.close()
      await Promise.all([house.close(), own.close()])
    })

    it('the keys of payment provider accounts are stored encrypted and are never shown', async () => {
      const shown = await answer(`provider-account list --storefront ${shops.own.storefrontId} --json`)
      const notices = `http://billhook.test/api/providers/${name}-${accountId}`
      expect(shown).toEqual([
        expect.objectContaining({ accountId, provider: name, takesNewPayments: true, endedAt: null, notices }),
      ])
      const row = await db().provider_accounts.findUniqueOrThrow({ where: { id: accountId } })
      expect(Buffer.from(row.sealed).includes('ownown')).toBe(false)
      const entries = await db().audit_entries.findMany({ where: { subject: shops.own.storefrontId } })
      expect(entries.map(({ action }) => action)).toContain('provider_account.set')
      expect(JSON.stringify([shown, entries.map(({ seq: _, ...entry }) => entry)])).not.toContain('ownown')
    })

    it('a provider account with an invalid key, or with a key of another mode or provider, is refused', async () => {
      const refused = async (key: string) => (await isRefused(setAccount(shops.own, key))).message
      expect(await refused(otherMode)).toMatch(/^--api-key: Must be a live key/)
      expect(await refused(name === 'mollie' ? 'sk_live_another' : 'live_another')).toMatch(
        /^--api-key: Must be a live key/,
      )
      expect(await refused(`${prefix}ofnobodyofnobody`)).toMatch(/^--api-key: The provider does not accept the key: /)
      const wrong = name === 'mollie' ? '--webhook-secret' : '--access-token'
      const more = await isRefused(`${setAccount(shops.own, keys.own)} ${wrong} ${'x'.repeat(32)}`)
      expect(more.message).toBe(`${wrong}: Is not a credential of ${name}.`)
      expect(
        await db().provider_accounts.count({ where: { ended_at: null, storefront_id: shops.own.storefrontId } }),
      ).toBe(1)
    })

    it('a provider account receives only the payments of its own storefront', async () => {
      const [mine, others] = [await onPage('own', own), await onPage('other', house)]
      expect([own.payments().length, house.payments().length]).toEqual([1, 1])
      await pay(mine, 'own', own)
      await pay(others, 'other', house)
      const rows = await db().payments.findMany({ where: { provider_ref: { in: [mine.ref, others.ref] } } })
      expect(rows.map(({ provider }) => provider).sort()).toEqual([name, `${name}-${accountId}`])
    })

    it('a provider account accepts only notices about its own payments', async () => {
      const [mine, others] = [await onPage('own', own), await onPage('other', house)]
      const taken = { status: 200, isDue: true }
      const ignored = { status: 200, isDue: false }
      expect(await notify(own, mine.ref, null)).toEqual(ignored)
      expect(await notify(house, others.ref, accountId)).toEqual(ignored)
      const nobodys = accountId.replace(/.{6}$/, '000000')
      const unknown = await notify(own, mine.ref, nobodys)
      expect(unknown).toEqual(name === 'mollie' ? ignored : { status: 400, isDue: false })
      expect(await notify(own, mine.ref, accountId)).toEqual(taken)
      expect(await notify(house, others.ref, null)).toEqual(taken)
      await pay(mine, 'own', own)
      await pay(others, 'other', house)
    })

    it('an ended provider account serves the renewals, refunds, and disputes of its earlier sales, but no new sales', async () => {
      await answer(`provider-account end --storefront ${shops.own.storefrontId} --json`)
      await isRefused(`provider-account end --storefront ${shops.own.storefrontId}`)
      await pay(await onPage('own', house), 'own', house)
      const before = { own: charges(own).length, house: charges(house).length }
      await later(32)
      expect({ own: charges(own).length, house: charges(house).length }).toEqual({
        own: before.own + 2,
        house: before.house + 3,
      })
      const [disputed, refunded] = charges(own)
      const orderOf = async (ref = '') =>
        (await db().payments.findFirstOrThrow({ where: { provider_ref: ref } })).order_id
      const [orderId, disputedId] = [await orderOf(refunded?.ref), await orderOf(disputed?.ref)]
      expect((await send(`POST /v1/orders/${orderId}/refunds/full`, { key: shops.own.liveKey })).status).toBe(201)
      await later(1)
      expect(own.refundsOf(refunded?.ref ?? '')).toMatchObject([{ amount: '11.90 EUR' }])
      for (const refund of own.refundsOf(refunded?.ref ?? '')) refund.settle()
      own.dispute(disputed?.ref ?? '')
      await findMissedChargebacks()
      await later(1)
      const disputes = await get(shops.own.liveKey, `/v1/orders/${disputedId}/chargebacks`)
      expect(disputes.data).toMatchObject([{ status: 'pending' }])
      expect(await brokenInvariants()).toEqual({})
    })

    it('the books of each provider account are compared separately with the provider’s books', async () => {
      const span = {
        since: new Date('2020-01-01'),
        until: new Date('2100-01-01'),
        settledUntil: new Date(0),
        settleMs: 0,
      }
      expect(await reconcileNow(span)).toEqual([])
      own.refundByHand(charges(own)[1]?.ref ?? '')
      const found = await reconcileNow(span)
      expect(found).toMatchObject([{ provider: `${name}-${accountId}`, kind: 'refund_unknown' }])
    })

    it('a provider account with a revoked key is reported, and its new key must belong to the same account at the provider', async () => {
      own.rollKey(keys.rolled)
      const before = charges(own).length
      await later(32)
      await expect(findMissedChargebacks()).rejects.toThrow(/refuses the API key|answered 401|is not asked for another/)
      expect((await serviceStates()).payments).toMatch(/^refuses the API key since .* \(account of a storefront\)$/)
      expect(charges(own)).toHaveLength(before)
      own.resetConnection()
      const replace = (key: string) => `provider-account replace-key --account ${accountId} --api-key ${key}`
      expect((await isRefused(replace(keys.house))).message).toMatch(/^--api-key: Belongs to a different account/)
      expect((await isRefused(replace(keys.own))).message).toMatch(/^--api-key: The provider does not accept the key/)
      await answer(`${replace(keys.rolled)} --json`)
      await later(1)
      expect(charges(own)).toHaveLength(before + 2)
      expect((await serviceStates()).payments).toBe('ok')
      expect(await brokenInvariants()).toEqual({})
    })

    it('mandates are revoked through the provider account that created them', async () => {
      const mandates = () => own.customers().flatMap((customer) => own.mandatesOf(customer))
      expect(mandates()).toHaveLength(2)
      for (const { id } of (await get(shops.own.liveKey, '/v1/subscriptions')).data)
        await send(`DELETE /v1/subscriptions/${id}?immediately=true`, { key: shops.own.liveKey })
      await revokeUnusedMandates(new Date('2100-01-01'))
      await later(1)
      expect(mandates()).toEqual([])
    })

    it('entering the former key reactivates an ended provider account, and concurrent changes leave one active account', async () => {
      expect(await answer(`${setAccount(shops.own, keys.rolled)} --json`)).toMatchObject({ accountId, endedAt: null })
      const racer = await aShop({ name: 'Racer' })
      const given = [keys.house, keys.rolled, keys.house, keys.rolled]
      const warned =
        'The key belongs to the account of the installation. Comparisons of the books will find each difference twice.\n'
      const set = async (key: string) =>
        expect(await cli(setAccount(racer, key))).toMatchObject({ status: 0, stderr: key === keys.house ? warned : '' })
      await Promise.all(given.map(set))
      const accounts = await answer(`provider-account list --storefront ${racer.storefrontId} --json`)
      expect(accounts.map(({ takesNewPayments }: { takesNewPayments: boolean }) => takesNewPayments).sort()).toEqual([
        ...[false, true],
      ])
      expect(await brokenInvariants()).toEqual({})
    })

    it('a storefront without a provider account cannot sell unless the installation has a key', async () => {
      configure({ [`${upper}_API_KEY`]: undefined })
      await pay(await onPage('own', own), 'own', own)
      const checkout = await stock.aCheckout(shops.other.liveKey, plans.other)
      const { redirectTo } =
        (await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), buyerForm(), germanVisitor)) ?? {}
      expect(redirectTo).toMatch(/^\/checkout\//)
    })
  },
)
