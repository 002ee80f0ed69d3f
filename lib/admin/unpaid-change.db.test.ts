import { afterAll, expect, test } from 'vitest'
import { auditLog } from '../modules/audit/operations.ts'
import { db } from '../platform/db/db.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../testing/subscription-scenario.ts'
import { declineMandate } from '../workflows/test-helpers/mandates.ts'
import * as admin from './pages.ts'

afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const place = ({ shop }: Scenario) => ({ mode: 'test', storefrontId: shop.storefrontId })
const undo = (scenario: Scenario, orderId: string, cookies: string | null, key: string = crypto.randomUUID()) =>
  admin.submitOrder(place(scenario), orderId, new URLSearchParams({ intent: 'undo-change', key }), cookies)

/** Creates a subscription with a change to two units, and a declined charge for the second unit. */
async function owedChange() {
  const scenario = await subscriptionScenario()
  await declineMandate(scenario.id, 'card_expired')
  const change = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
  expect((await ask(scenario, 'PATCH /v1/subscriptions/{id}', change)).status).toBe(200)
  await drainTasks()
  const [sale, order] = await ordersOf(scenario)
  return { scenario, saleId: sale.id as string, orderId: order.id as string }
}

test('a button on the page of an order undoes the subscription change whose payment failed', async () => {
  const { scenario, saleId, orderId } = await owedChange()
  const { cookies } = await anOperator('unpaid-change@example.com')
  const mayUndo = async (id: string) => (await admin.orderPage(place(scenario), id, cookies))?.mayUndo
  expect([await mayUndo(saleId), await mayUndo(orderId)]).toEqual([false, true])
  expect((await undo(scenario, saleId, cookies))?.redirectTo).toMatch(/\?failed=order_not_in_recovery$/)
  const key = crypto.randomUUID()
  for (const _ of [1, 2])
    expect((await undo(scenario, orderId, cookies, key))?.redirectTo).toMatch(/\?done=changeUndone$/)
  expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active', quantity: 1 })
  expect((await ordersOf(scenario)).at(-1)).toMatchObject({ id: orderId, status: 'canceled' })
  expect((await auditLog(null, 1))[0]).toMatchObject({ action: 'recovery.cancel', subject: orderId })
  expect(await mayUndo(orderId)).toBe(false)
  expect((await undo(scenario, orderId, cookies))?.redirectTo).toMatch(/\?failed=order_not_in_recovery$/)
})

test('only roles that can change subscriptions can undo a change', async () => {
  const { scenario, orderId } = await owedChange()
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: scenario.shop.storefrontId } })
  for (const role of ['accountant', 'developer'] as const) {
    const { cookies } = await aMember(`${role}-unpaid-change@example.com`, merchant_id, role)
    expect((await admin.orderPage(place(scenario), orderId, cookies))?.mayUndo).toBe(false)
    expect(await undo(scenario, orderId, cookies)).toBeNull()
  }
  const { cookies } = await aMember('support-unpaid-change@example.com', merchant_id, 'support')
  expect((await undo(scenario, orderId, cookies))?.redirectTo).toMatch(/\?done=changeUndone$/)
})
