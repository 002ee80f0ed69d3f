import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventNames } from '../../modules/events/event-types.ts'
import { db } from '../../platform/db/db.ts'
import { aCheckout, anEndpoint, aProduct } from '../../testing/factories.ts'
import { failpoints } from '../../testing/failpoints.ts'
import { aReceiver, type Receiver } from '../../testing/receiver.ts'
import { onProvidersPage } from '../../testing/scenarios.ts'
import { aShop, eventsOf, type Shop, tokenOf } from '../../testing/shop.ts'
import { type KillHarness, startKillHarness } from '../../testing/sigkill.ts'
import { pass, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { returnDebits } from '../test-helpers/mandates.ts'

let harness: KillHarness
let receiver: Receiver

beforeAll(async () => {
  receiver = await aReceiver()
  harness = await startKillHarness(receiver)
})

afterAll(() => Promise.all([harness.close(), receiver.close()]))

const paidDebits = {
  'the debit of a renewal': async () => {
    const scenario = await subscriptionScenario({ at: '2027-06-01T00:00:00Z', buyer: { paymentMethod: 'ideal' } })
    await returnDebits(scenario.id)
    await pass(scenario, 'P1M1D')
    return scenario
  },
  'the debit of a purchase': async () => {
    const shop = await aShop({ at: '2027-06-01T00:00:00Z' })
    const key = shop.testKey
    const token = tokenOf((await aCheckout(key, (await aProduct(key)).id)).links.checkoutUrl.href)
    const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'DE', paymentMethod: 'directdebit' }
    const visitor = { acceptLanguage: 'en', header: () => null }
    await onProvidersPage(await submitCheckout(token, new URLSearchParams(buyer), visitor), { outcome: 'returned' })
    await pass({ key }, 'PT1H')
    return { shop, key }
  },
}

const ends = {
  'the debit of a renewal': {
    statuses: ['paid', 'pending'],
    emails: ['receipt', 'debit_notice', 'receipt', 'payment_failed'],
  },
  'the debit of a purchase': { statuses: ['pending'], emails: ['receipt', 'purchase_unpaid'] },
}

let lives = 0

async function begin(name: keyof typeof paidDebits) {
  const { shop, key } = await paidDebits[name]()
  const path = `/hook?${++lives}`
  await anEndpoint(key, `${receiver.url}?${lives}`, { enabledEvents: eventNames })
  return { shop, path, before: (await eventsOf(shop)).length, storefrontId: shop.storefrontId }
}

async function endOf({ shop, path, before }: { shop: Shop; path: string; before: number }) {
  const mine = { where: { storefront_id: shop.storefrontId }, orderBy: { id: 'asc' } } as const
  const events = (await eventsOf(shop)).slice(before)
  expect(receiver.eventsAt(path)).toEqual(events)
  return {
    statuses: (await db().orders.findMany(mine)).map(({ status }) => status),
    emails: (await db().emails.findMany(mine)).map(({ kind }) => kind),
    events,
  }
}

describe('a process killed during the return of a debit', () => {
  it.each(Object.keys(paidDebits) as (keyof typeof paidDebits)[])(
    'if the process is killed at any failpoint, the return of %s still sends each event and email once',
    (name) =>
      harness.killAtEachPlace({
        begin: () => begin(name),
        by: { days: 6 },
        endOf,
        ends: { ...ends[name], events: ['order.payment_failed'] },
      }),
  )

  it('the tests killed a process at every failpoint of returned debits', () => {
    const places = failpoints.filter((point) => point.startsWith('return.'))
    expect(harness.points().filter((point) => point.startsWith('return.'))).toEqual([...places].sort())
  })
})
