import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMonthLater, aShopOf, jump, orderStatuses, sendNotice, tryAgain } from '../../testing/live-sales.ts'
import { runDueTasks } from '../../testing/shop.ts'
import { recoveryStatuses, type Stripe, takePaymentsAtStripe } from '../../testing/stripe-sales.ts'
import { pass } from '../../testing/subscription-scenario.ts'

/** The tests cover charges whose response is lost while Stripe processes them, and charges that are paid after they failed. */

let provider: Stripe
beforeAll(async () => {
  provider = await takePaymentsAtStripe()
})
afterEach(() => provider.reset())
afterAll(() => provider.close())

const notify = (ref: string) => sendNotice(provider, provider.noticeOf(ref))
const paymentsOf = async (storefrontId: string) =>
  (
    await db().payments.findMany({
      where: { storefront_id: storefrontId, mandate_id: { not: null } },
      orderBy: { id: 'asc' },
    })
  ).map(({ status }) => status)

async function undecided(status: 'requires_confirmation' | 'requires_payment_method' | 'processing') {
  const made = await aShopOf(provider, 1)
  provider.standIn.leaveUndecided(status)
  provider.failNext('cut after')
  await aMonthLater(made.key)
  await tryAgain(provider)
  const [charge] = made.charges()
  if (!charge) throw new Error('there is no charge')
  return { ...made, charge }
}

const sumOf = (charges: readonly { status: string }[]) => charges.filter(({ status }) => status === 'paid').length

describe('a charge without an outcome at Stripe', () => {
  it.each(['requires_confirmation', 'requires_payment_method', 'processing'] as const)(
    'a charge with the Stripe status %s is pending, and pays the order when it succeeds',
    async (status) => {
      const { key, shop, charge, charges } = await undecided(status)
      expect(await orderStatuses(key)).toEqual(['pending', 'paid'])
      expect(await recoveryStatuses(shop.storefrontId)).toEqual([])
      await jump({ shop }, { days: 3 })
      expect(charges()).toHaveLength(1)
      provider.pay(charge.ref)
      await notify(charge.ref)
      await runDueTasks()
      expect(await orderStatuses(key)).toEqual(['paid', 'paid'])
      expect(sumOf(charges())).toBe(1)
      expect(await brokenInvariants()).toEqual({})
    },
  )

  it('a charge without an outcome is canceled at Stripe before it is recorded as failed', async () => {
    const { key, shop, charge, charges } = await undecided('requires_confirmation')
    const intent = provider.standIn.books.intents.find(({ id }) => id === charge.ref)
    if (!intent) throw new Error('there is no intent')
    Object.assign(intent, { created: intent.created - 3_601 })
    await notify(charge.ref)
    await runDueTasks()
    expect(intent.status).toBe('canceled')
    expect(await recoveryStatuses(shop.storefrontId)).toEqual(['open'])
    await pass({ key }, 'P4D')
    expect(charges()).toMatchObject([{ ref: charge.ref, status: 'over' }, { status: 'paid' }])
    expect(await orderStatuses(key)).toEqual(['paid', 'paid'])
    expect(await brokenInvariants()).toEqual({})
  })

  it('a charge pays the order if it is paid before its cancellation at Stripe', async () => {
    const { key, charge, charges } = await undecided('requires_confirmation')
    const intent = provider.standIn.books.intents.find(({ id }) => id === charge.ref)
    if (!intent) throw new Error('there is no intent')
    Object.assign(intent, { created: intent.created - 3_601 })
    provider.pay(charge.ref)
    await notify(charge.ref)
    await runDueTasks()
    expect(await orderStatuses(key)).toEqual(['paid', 'paid'])
    expect(charges()).toMatchObject([{ status: 'paid' }])
  })
})

describe('a charge that is paid after it was recorded as failed', () => {
  async function failed() {
    const made = await aShopOf(provider, 1)
    for (const mandate of made.mandates()) provider.standIn.decline(mandate, 'insufficient_funds')
    await aMonthLater(made.key)
    const [charge] = made.charges()
    if (!charge) throw new Error('there is no charge')
    expect(await recoveryStatuses(made.shop.storefrontId)).toEqual(['open'])
    for (const mandate of made.mandates()) provider.standIn.decline(mandate, null)
    return { ...made, charge }
  }

  it('a late payment of a failed charge pays the order and ends the recovery', async () => {
    const { key, shop, charge, charges } = await failed()
    provider.pay(charge.ref)
    for (const _ of [1, 2]) await notify(charge.ref)
    await runDueTasks()
    expect(await orderStatuses(key)).toEqual(['paid', 'paid'])
    expect(await recoveryStatuses(shop.storefrontId)).toEqual(['recovered'])
    await pass({ key }, 'P10D')
    expect(charges()).toHaveLength(1)
    expect(await brokenInvariants()).toEqual({})
  })

  it('a late payment of a failed charge is found before the next attempt, which then charges nothing', async () => {
    const { key, shop, charge, charges } = await failed()
    provider.pay(charge.ref)
    await pass({ key }, 'P4D')
    expect(charges()).toHaveLength(1)
    expect(await orderStatuses(key)).toEqual(['paid', 'paid'])
    expect(await paymentsOf(shop.storefrontId)).toEqual(['paid', 'canceled'])
    expect(await brokenInvariants()).toEqual({})
  })

  it('a late payment of a failed charge is refunded once if another attempt has paid the order', async () => {
    const { key, charge, charges } = await failed()
    await pass({ key }, 'P4D')
    expect(charges()).toMatchObject([{ ref: charge.ref }, { status: 'paid' }])
    provider.pay(charge.ref)
    for (const _ of [1, 2, 3]) await notify(charge.ref)
    await runDueTasks()
    expect(provider.refundsOf(charge.ref)).toMatchObject([{ amount: charge.amount }])
    for (const refund of provider.refundsOf(charge.ref)) refund.settle()
    await pass({ key }, 'PT10M')
    await notify(charge.ref)
    await runDueTasks()
    expect(provider.refundsOf(charge.ref)).toHaveLength(1)
    expect(await orderStatuses(key)).toEqual(['paid', 'paid'])
    expect(await brokenInvariants()).toEqual({})
  })

  it('if a failed charge is paid late during another attempt, and that attempt succeeds, the late payment is refunded', async () => {
    const { key, shop, charge, charges } = await failed()
    provider.standIn.leaveUndecided('processing')
    await jump({ shop }, { days: 4 })
    const [, second] = charges()
    expect(second).toMatchObject({ status: 'pending' })
    provider.pay(charge.ref)
    await notify(charge.ref)
    await runDueTasks()
    expect(provider.refundsOf(charge.ref)).toEqual([])
    expect(await orderStatuses(key)).toEqual(['pending', 'paid'])
    provider.pay(second?.ref ?? '')
    await notify(second?.ref ?? '')
    await runDueTasks()
    await pass({ key }, 'PT2H')
    expect(provider.refundsOf(charge.ref)).toHaveLength(1)
    expect(await orderStatuses(key)).toEqual(['paid', 'paid'])
  })
})
