import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '../platform/db/db.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { portalCookies } from '../testing/portal.ts'
import { aShop } from '../testing/shop.ts'
import { ask, drainTasks, pass, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { submitSubscription as submitInPortal } from '../workflows/portal/submit-portal.ts'
import * as admin from './pages.ts'

let staff: string | null = null
beforeAll(async () => {
  ;({ cookies: staff } = await anOperator('by-whom@example.com'))
})

const place = ({ shop }: Scenario) => ({ mode: 'test', storefrontId: shop.storefrontId })
const timelineOf = async (scenario: Scenario) => {
  const entries = (await admin.subscriptionPage(place(scenario), scenario.id, staff))?.timeline ?? []
  return entries.flatMap((entry) => (entry.kind === 'event' ? [[entry.event, entry.by] as const] : []))
}
const newest = async (scenario: Scenario) => (await timelineOf(scenario))[0]
const press = async (scenario: Scenario, action: 'pause' | 'unpause', cookies: string | null) => {
  const page = await admin.subscriptionPage(place(scenario), scenario.id, cookies)
  const terms = page?.actions.find((each) => each.action === action)?.terms ?? ''
  const values = new URLSearchParams({ intent: action, terms, key: crypto.randomUUID() })
  return admin.submitSubscription(place(scenario), scenario.id, values, cookies)
}

describe('the timeline of a subscription shows who caused each event', () => {
  test('the timeline names the API key that changed the subscription, by its name or its first characters', async () => {
    const scenario = await subscriptionScenario()
    await ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 2, applyImmediately: false })
    const hint = `${scenario.key.slice(0, 8)}…`
    expect(await newest(scenario)).toEqual(['update_scheduled', { kind: 'key', name: hint }])
    const where = { storefront_id: scenario.shop.storefrontId, testmode: true }
    await db().api_keys.updateMany({ where, data: { name: 'Server' } })
    expect(await newest(scenario)).toEqual(['update_scheduled', { kind: 'key', name: 'Server' }])
  })

  test('the timeline does not name an API key of another storefront', async () => {
    const scenario = await subscriptionScenario()
    const foreign = await db().api_keys.findFirstOrThrow({
      where: { storefront_id: (await aShop()).storefrontId, testmode: true },
    })
    await db().api_keys.update({ where: { id: foreign.id }, data: { name: 'Server of another merchant' } })
    await ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 2, applyImmediately: false })
    // Simulates an imported export file. The events in such a file can name a key of any storefront.
    await db().events.updateMany({
      where: { entity_id: scenario.id, name: 'subscription.update_scheduled' },
      data: { caused_by: foreign.id },
    })
    expect(await newest(scenario)).toEqual(['update_scheduled', { kind: 'key', name: foreign.id }])
  })

  test('the timeline says that a member, a former member, or staff paused a subscription', async () => {
    const scenario = await subscriptionScenario()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: scenario.shop.storefrontId } })
    const email = `by-whom-${crypto.randomUUID()}@example.com`
    const { cookies, operatorId } = await aMember(email, merchant_id, 'support')
    await press(scenario, 'pause', cookies)
    expect(await newest(scenario)).toEqual(['paused', { kind: 'member', name: email }])
    await db().operators.updateMany({ where: { id: operatorId }, data: { merchant_id: null, role: null } })
    expect(await newest(scenario)).toEqual(['paused', { kind: 'formerMember' }])
    await press(scenario, 'unpause', staff)
    expect((await newest(scenario))?.[1]).toEqual({ kind: 'staff' })
  })

  test('the timeline names the customer as the cause of a cancellation and a resumption in the portal', async () => {
    const scenario = await subscriptionScenario()
    const cookies = await portalCookies(scenario)
    await submitInPortal(scenario.id, new URLSearchParams({ intent: 'cancel' }), cookies)
    expect(await newest(scenario)).toEqual(['canceled_with_grace_period', { kind: 'buyer' }])
    await submitInPortal(scenario.id, new URLSearchParams({ intent: 'resume' }), cookies)
    expect(await newest(scenario)).toEqual(['resumed', { kind: 'buyer' }])
  })

  test('the timeline names the customer for the start, Billhook for a renewal, and "API or portal" for an event without a stored cause', async () => {
    const scenario = await subscriptionScenario()
    await pass(scenario, 'P1M')
    expect(await timelineOf(scenario)).toEqual([
      ['renewed', { kind: 'schedule' }],
      ['started', { kind: 'buyer' }],
    ])
    await ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 2, applyImmediately: false })
    await db().events.updateMany({ where: { entity_id: scenario.id }, data: { caused_by: null } })
    expect(await newest(scenario)).toEqual(['update_scheduled', { kind: 'apiOrPortal' }])
  })

  test('the body of a webhook event does not contain the id of the API key that caused the event', async () => {
    const scenario = await subscriptionScenario()
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await drainTasks()
    const where = { entity_id: scenario.id, name: 'subscription.canceled_with_grace_period' }
    const event = await db().events.findFirstOrThrow({ where })
    expect(event.caused_by).toMatch(/^key_/)
    expect(event.body).not.toContain(event.caused_by)
  })
})
