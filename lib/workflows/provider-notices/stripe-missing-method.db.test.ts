import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { subscriptionPage } from '../../admin/pages.ts'
import { listEmails } from '../../modules/emails/operations.ts'
import { db } from '../../platform/db/db.ts'
import { runTask } from '../../platform/jobs/run-task.ts'
import type { TaskClaim } from '../../platform/jobs/tasks.ts'
import { send } from '../../testing/api.ts'
import { killedAt, moments, places } from '../../testing/crash.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import { read } from '../../testing/email-text.ts'
import { aCheckout, aPlan, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { jump, newestOnPage, orderStatuses, sendNotice } from '../../testing/live-sales.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { aMember } from '../../testing/operator.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { billingToken } from '../../testing/scenarios.ts'
import { aShop, buyerForm, eventsOf, germanVisitor, runDueTasks, tokenOf } from '../../testing/shop.ts'
import { recoveryStatuses, type Stripe, takePaymentsAtStripe } from '../../testing/stripe-sales.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { submitBillingUpdate } from '../billing-update/submit-billing-update.ts'
import { checkoutJobs } from '../sale/jobs.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

let provider: Stripe
let made = 0
beforeAll(async () => {
  provider = await takePaymentsAtStripe()
})
afterEach(async () => {
  provider.reset()
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})
afterAll(() => provider.close())

async function soldWithoutMethod(plan: object = {}) {
  const shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
  const owner = `owner-without-method${++made}@example.com`
  const { cookies } = await aMember(owner, merchant_id, 'owner')
  const { id } = await aPlan(shop.testKey, { basePrice: price('10.00'), ...plan })
  const token = tokenOf((await aCheckout(shop.testKey, id)).links.checkoutUrl.href)
  await submitCheckout(token, buyerForm({ paymentMethod: 'ideal' }), germanVisitor)
  const { ref } = newestOnPage(provider)
  provider.pay(ref)
  const details = provider.standIn.books.charges.at(-1)?.payment_method_details as Record<string, object>
  Object.assign(details.ideal ?? {}, { generated_sepa_debit: null, generated_sepa_debit_mandate: null })
  await sendNotice(provider, provider.noticeOf(ref))
  await runDueTasks()
  const [subscription] = (await get(shop.testKey, '/v1/subscriptions')).data
  expect(subscription).toMatchObject({ status: 'active', mandate: null })
  const emails = async (kind: 'payment_method_missing' | 'renewal_uncollectable' | 'payment_method_needed') =>
    (await listEmails(shop.storefrontId, { testmode: true })).filter((email) => email.kind === kind)
  const asked = async () => [
    (await emails('payment_method_missing')).length,
    (await emails('renewal_uncollectable')).length,
  ]
  const claim = async () => {
    const [claimed] = await db().$queryRaw<TaskClaim[]>`
      UPDATE tasks SET claim_version = claim_version + 1, attempts = attempts + 1
      WHERE name = 'subscription.ask_for_method' AND key = ${subscription.id}
      RETURNING id AS "taskId", claim_version AS "claimVersion"`
    return claimed ?? null
  }
  return { shop, key: shop.testKey, owner, cookies, subscription, emails, asked, claim }
}

const jobs = new Map(checkoutJobs.map((job) => [job.name, job]))
const run = (claim: TaskClaim | null) => (claim ? runTask(jobs, claim) : Promise.reject(new Error('no task waits')))

async function addCard(text: string | undefined): Promise<void> {
  const token = /\/billing-update\/([\w-]+)/.exec(text ?? '')?.[1] ?? ''
  await (await cardOnPage(token))()
}

async function cardOnPage(token: string): Promise<() => Promise<void>> {
  await submitBillingUpdate(token, buyerForm({ paymentMethod: 'creditcard', version: '0' }), germanVisitor)
  const { ref } = newestOnPage(provider)
  provider.pay(ref)
  return async () => {
    await sendNotice(provider, provider.noticeOf(ref))
    await runDueTasks(1000)
  }
}

describe('a paid first payment without a saved payment method', () => {
  it('the buyer and the merchant each get an email about the missing payment method, weeks before the renewal', async () => {
    const sold = await soldWithoutMethod()
    await jump(sold, { days: 6 })
    expect(await sold.asked()).toEqual([0, 0])
    await jump(sold, { days: 1 })
    expect(await sold.asked()).toEqual([1, 1])
    const [toBuyer] = await sold.emails('payment_method_missing')
    expect(toBuyer).toMatchObject({ to: 'ada@example.com', subscriptionId: sold.subscription.id, locale: 'de' })
    expect(read(toBuyer?.text ?? '')).toContain('konnten wir nicht für weitere Zahlungen speichern')
    expect(read(toBuyer?.text ?? '')).toContain('bis zum 1. Februar 2027')
    const [toMerchant] = await sold.emails('renewal_uncollectable')
    expect(toMerchant?.to).toBe(sold.owner)
    expect(toMerchant?.text).toContain('no payment method was saved that can be charged again')
    expect(toMerchant?.text).toContain(`/subscriptions/${sold.subscription.id}`)
    await jump(sold, { days: 10 })
    expect(await sold.asked()).toEqual([1, 1])
    const place = { mode: 'test', storefrontId: sold.shop.storefrontId }
    const page = await subscriptionPage(place, sold.subscription.id, sold.cookies)
    expect(page).toMatchObject({ lacksMethod: true, subscription: { mandate: null } })
  })

  it('the email about a missing payment method is sent before the renewal, even if the billing period is only a day', async () => {
    const sold = await soldWithoutMethod({ interval: 'day' })
    await jump(sold, { hours: 11 })
    expect(await sold.asked()).toEqual([0, 0])
    await jump(sold, { hours: 2 })
    expect(await sold.asked()).toEqual([1, 1])
  })

  it('the renewal is charged to the method that the buyer adds through the emailed link', async () => {
    const sold = await soldWithoutMethod()
    await jump(sold, { days: 7 })
    const [email] = await sold.emails('payment_method_missing')
    await addCard(email?.text)
    expect((await get(sold.key, '/v1/subscriptions')).data[0]).toMatchObject({ mandate: { method: 'card' } })
    await jump(sold, { months: 1 })
    expect(await recoveryStatuses(sold.shop.storefrontId)).toEqual([])
    const place = { mode: 'test', storefrontId: sold.shop.storefrontId }
    expect(await subscriptionPage(place, sold.subscription.id, sold.cookies)).toMatchObject({ lacksMethod: false })
  })

  it('no email is sent about the missing payment method of a canceled subscription', async () => {
    const sold = await soldWithoutMethod()
    await send(`DELETE /v1/subscriptions/${sold.subscription.id}`, { key: sold.key })
    await jump(sold, { days: 8 })
    expect(await sold.asked()).toEqual([0, 0])
  })

  it('concurrent tasks send one email about a missing payment method', async () => {
    const sold = await soldWithoutMethod()
    const claim = await sold.claim()
    const racers = [1, 2, 3].map(() => () => run(claim))
    await raceBehind<unknown>(lockOn('subscriptions', sold.subscription.id), racers, 2)
    expect(await sold.asked()).toEqual([1, 1])
    expect(await sold.claim()).toBeNull()
  })

  it.each([
    ['the task is first', 'asks', [1, 1]],
    ['the request is first', 'saves', [0, 0]],
  ] as const)(
    'the email about a missing payment method is sent only if its task runs before a concurrent request saves a method: %s',
    async (_, first, emails) => {
      const sold = await soldWithoutMethod()
      const claim = await sold.claim()
      const save = await cardOnPage(await billingToken({ key: sold.key, id: sold.subscription.id }))
      const ask = async () => {
        await run(claim)
      }
      const racers = first === 'asks' ? [ask, save] : [save, ask]
      const lock = lockOn('subscriptions', sold.subscription.id)
      const ends = await raceBehind<void>(lock, racers, 2, undefined, { inTurn: true })
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      expect(await sold.asked()).toEqual(emails)
      expect(await sold.claim()).toBeNull()
      expect((await get(sold.key, '/v1/subscriptions')).data[0]).toMatchObject({ mandate: { method: 'card' } })
    },
  )

  it.each(moments)(
    'one email about a missing payment method is sent even if the process is killed %s a query',
    async (moment) => {
      const sold = await soldWithoutMethod()
      const claim = await sold.claim()
      const restore = await takeSnapshot()
      let n = 1
      for (let killed = true; killed; n++) {
        await restore()
        killed = await killedAt(n, moment, () => run(claim), places())
        const again = await sold.claim()
        if (again) await run(again)
        expect(await sold.asked()).toEqual([1, 1])
        expect(await sold.claim()).toBeNull()
        expect(await brokenInvariants()).toEqual({})
      }
      expect(n).toBeGreaterThan(2)
    },
  )
})

describe('the renewal of a subscription without a payment method', () => {
  it('a renewal without a payment method starts a recovery, and is charged to the method that the buyer adds through the emailed link', async () => {
    const sold = await soldWithoutMethod()
    await jump(sold, { months: 1 })
    expect(await recoveryStatuses(sold.shop.storefrontId)).toEqual(['open'])
    expect(await eventsOf(sold.shop)).toContain('order.payment_failed')
    const [email, ...more] = await sold.emails('payment_method_needed')
    expect(more).toEqual([])
    await addCard(email?.text)
    expect(await recoveryStatuses(sold.shop.storefrontId)).toEqual(['recovered'])
    expect((await orderStatuses(sold.key)).filter((status) => status !== 'paid')).toEqual([])
  })
})
