import { afterAll, beforeAll, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { inngestFunctions } from '../../platform/jobs/inngest.ts'
import { startWorker, stopWorker } from '../../platform/jobs/worker.ts'
import { jobs } from '../../server/jobs.ts'
import { amount } from '../../testing/amount.ts'
import { send } from '../../testing/api.ts'
import * as factories from '../../testing/factories.ts'
import { aReceiver } from '../../testing/receiver.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import * as chargebacks from '../../workflows/chargeback/operations.ts'
import { createPayout } from '../payouts/operations.ts'
import { checkAll, type Finding } from './operations.ts'

let receiver: Awaited<ReturnType<typeof aReceiver>>
beforeAll(async () => {
  receiver = await aReceiver()
  const { embedded } = inngestFunctions(jobs)
  startWorker(embedded, embedded)
})
afterAll(async () => {
  await stopWorker()
  await receiver.close()
})

/**
 * A long timeout in milliseconds, because on a busy machine an advance of the test clock can outlast its request and
 * continue in the background.
 */
const long = { timeout: 300_000 }

const months = amount({ short: 2, long: 3 })

const isBroken = ({ status }: Finding) => status === 'broken'

async function posted(line: string, key: string, body: object = {}) {
  const reply = await send(line, { key, body })
  expect(reply.status, `${line} ${JSON.stringify(reply.body)}`).toBeLessThan(300)
  return reply.body
}

async function traffic(shop: Shop): Promise<void> {
  const key = shop.testKey
  await factories.anEndpoint(key, `${receiver.url}?${shop.storefrontId}`, {
    enabledEvents: ['order.paid', 'refund.completed'],
  })
  const [plan, product] = [await factories.aPlan(key), await factories.aProduct(key)]
  for (let month = 0; month < months; month++) {
    const sold = await Promise.all(
      ['NL', 'CA', 'US'].map((country, n) => {
        const products = [
          { id: plan.id, ...(n === 1 && { trialDays: 10 }) },
          { id: product.id, quantity: n + 1 },
        ]
        const cart = factories.aCheckout(key, product.id, { products })
        return cart.then((checkout) => factories.pay(key, checkout, { country, email: `${country}@example.com` }))
      }),
    )
    const [first, second, third] = sold.map(({ orderId }) => orderId as string)
    await Promise.all([
      posted(`POST /v1/orders/${first}/refunds/full`, key),
      chargebacks
        .raise(second ?? '', { reason: 'fraud' })
        .then(({ chargebackId }) => chargebacks.move(chargebackId, 'lost')),
      chargebacks
        .raise(third ?? '', { amount: '5.00', reason: 'fraud' })
        .then(({ chargebackId }) => chargebacks.move(chargebackId, 'won')),
    ])
    await createPayout(shop.scope, { amount: '1.00' })
    const { data } = (await send('GET /v1/subscriptions', { key })).body
    const change = { quantity: month + 2, applyImmediately: true, invoiceImmediately: true }
    await send(`PATCH /v1/subscriptions/${data[0].id}`, { key, body: change })
    await send(`PATCH /v1/subscriptions/${data[1].id}`, { key, body: { quantity: month + 3, applyImmediately: false } })
    await posted('POST /v1/test-helpers/clock/advance', key, { by: 'P32D' })
    const mine = { storefront_id: shop.storefrontId }
    await expect.poll(() => db().clocks.count({ where: { ...mine, advancing_to: { not: null } } }), long).toBe(0)
  }
}

it('all invariants hold at each check during concurrent sales, refunds, disputes, and clock advances', async () => {
  const shops = [await aShop(), await aShop()]
  let goesOn = true
  const going = Promise.all(shops.map(traffic)).finally(() => {
    goesOn = false
  })
  let checks = 0
  const seen: Finding[] = []
  while (goesOn) {
    seen.push(...(await checkAll()).filter(isBroken))
    checks++
  }
  await going
  expect(seen).toEqual([])
  expect(checks).toBeGreaterThan(3)
  expect((await checkAll()).filter(isBroken)).toEqual([])
  for (const { testKey: key } of shops) {
    const { data } = (await send('GET /v1/orders?limit=100', { key })).body
    expect(data.length).toBeGreaterThan(6 * months)
  }
})
