import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '../platform/db/db.ts'
import * as factories from '../testing/factories.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { ask, drainTasks, ordersOf, pass, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { raise } from '../workflows/chargeback/operations.ts'
import { erase } from '../workflows/erasure/operations.ts'
import { createFull } from '../workflows/refund/operations.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
beforeAll(async () => {
  ;({ cookies } = await anOperator('activity@example.com'))
})

const activityOf = async (storefrontId: string, by = cookies, mode = 'test') =>
  (await admin.storefrontOverview({ mode, storefrontId }, {}, by))?.activity

describe('the recent activity on the home page', () => {
  test('the recent activity lists the newest events first, each with its text, amount, product, and customer', async () => {
    const scenario = await subscriptionScenario({ buyer: { fullName: 'Jane Doe', country: 'NL', taxId: '' } })
    const { storefrontId } = scenario.shop
    const path = `/admin/test/${storefrontId}`
    const [sale] = await ordersOf(scenario)
    const { name } = await db().subscriptions.findUniqueOrThrow({ where: { id: scenario.id }, select: { name: true } })
    const customer = expect.stringContaining('Jane Doe')
    const started = { event: 'started', title: name, customer, url: `${path}/subscriptions/${scenario.id}` }
    const paid = {
      event: 'order.paid',
      amount: { value: '121.00', currency: 'EUR' },
      title: null,
      customer,
      url: `${path}/orders/${sale.id}`,
    }
    const atStart = (await activityOf(storefrontId)) ?? []
    expect(atStart).toHaveLength(2)
    expect(atStart).toEqual(expect.arrayContaining([expect.objectContaining(started), expect.objectContaining(paid)]))
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await createFull(scenario.shop.scope, sale.id, { metadata: null })
    await pass(scenario, 'PT1H')
    const later = (await activityOf(storefrontId)) ?? []
    expect(later.map(({ event }) => event).slice(0, 2)).toEqual(['refund.completed', 'canceled_with_grace_period'])
    expect(later[0]).toMatchObject({ amount: paid.amount, customer, url: paid.url })
  })

  test('a dispute in the recent activity shows the disputed amount, the buyer, and the order', async () => {
    const scenario = await subscriptionScenario({ buyer: { fullName: 'Jane Doe' } })
    const [sale] = await ordersOf(scenario)
    await raise(sale.id, { amount: '10.00', reason: 'fraud' })
    await drainTasks()
    const activity = await activityOf(scenario.shop.storefrontId)
    expect(activity?.find(({ event }) => event === 'order.chargeback_received')).toMatchObject({
      amount: { value: '10.00', currency: 'EUR' },
      customer: expect.stringContaining('Jane Doe'),
      url: expect.stringContaining(`/orders/${sale.id}`),
    })
  })

  test('the admin home page shows at most ten events, and only events of the selected storefront and mode', async () => {
    const scenario = await subscriptionScenario()
    const { storefrontId } = scenario.shop
    for (let month = 0; month < 7; month++) await pass(scenario, 'P1M')
    expect(await activityOf(storefrontId)).toHaveLength(10)
    expect(await activityOf(storefrontId, cookies, 'live')).toEqual([])
    const other = await subscriptionScenario()
    expect(await activityOf(other.shop.storefrontId)).toHaveLength(2)
  })

  test('the recent activity omits events without a text, such as a change of metadata', async () => {
    const scenario = await subscriptionScenario()
    await ask(scenario, 'PATCH /v1/subscriptions/{id}', { metadata: { team: 'a' } })
    const { storefrontId } = scenario.shop
    const stored = await db().events.findMany({ where: { storefront_id: storefrontId } })
    const shown = (await activityOf(storefrontId)) ?? []
    expect(stored.map(({ name }) => name)).toEqual(expect.arrayContaining(['checkout.paid', 'subscription.updated']))
    expect(shown.map(({ event }) => event).sort()).toEqual(['order.paid', 'started'])
  })

  test('the recent activity does not name an erased customer', async () => {
    const scenario = await subscriptionScenario({ buyer: { fullName: 'Jane Doe', companyName: '', taxId: '' } })
    await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
    await drainTasks()
    await db().emails.deleteMany({ where: { storefront_id: scenario.shop.storefrontId } })
    await erase(scenario.customerId)
    const activity = await activityOf(scenario.shop.storefrontId)
    expect(activity?.length).toBeGreaterThan(2)
    expect(JSON.stringify(activity)).not.toContain('Jane')
  })

  test.each(['owner', 'developer', 'support', 'accountant'] as const)(
    'the role %s sees the recent activity, with a link to all events only if the role may open them',
    async (role) => {
      const scenario = await subscriptionScenario()
      const { storefrontId } = scenario.shop
      const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: storefrontId } })
      const { cookies: by } = await aMember(`activity-${role}-${storefrontId}@example.com`, merchant_id, role)
      const overview = await admin.storefrontOverview({ mode: 'test', storefrontId }, {}, by)
      expect(overview?.activity).toHaveLength(2)
      expect(overview?.eventsUrl).toBe(role === 'accountant' ? null : `/admin/test/${storefrontId}/events`)
    },
  )

  test('the recent activity shows the name of a product and links to its page', async () => {
    const scenario = await subscriptionScenario()
    const { id, name } = await factories.aProduct(scenario.key)
    await ask({ ...scenario, id }, 'POST /v1/one-off-products/{id}/archive')
    const [newest] = (await activityOf(scenario.shop.storefrontId)) ?? []
    expect(newest).toMatchObject({ event: 'one_off_product.archived', title: name, customer: null })
    expect(newest?.url).toMatch(new RegExp(`/catalog/${id}$`))
  })
})
