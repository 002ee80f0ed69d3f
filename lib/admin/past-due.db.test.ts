import { afterAll, expect, test } from 'vitest'
import { auditLog, verifyAudit } from '../modules/audit/operations.ts'
import { switchKind } from '../modules/emails/operations.ts'
import { db } from '../platform/db/db.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { failNextRenewal } from '../testing/scenarios.ts'
import { drainTasks, ordersOf, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const place = ({ shop }: Scenario, mode = 'test') => ({ mode, storefrontId: shop.storefrontId })

async function pastDue() {
  const scenario = await failNextRenewal(await subscriptionScenario(), 'insufficient_funds')
  const orderId: string = (await ordersOf(scenario)).at(-1).id
  const press = (intent: string, cookies: string | null, key: string = crypto.randomUUID()) =>
    admin.submitOrder(place(scenario), orderId, new URLSearchParams({ intent, key }), cookies)
  return { scenario, orderId, press }
}

test('two clicks on the retry button retry the payment once and add one audit entry', async () => {
  const { scenario, orderId, press } = await pastDue()
  const { cookies } = await anOperator('past-due@example.com')
  const list = await admin.pastDuePage(place(scenario), {}, cookies)
  expect(list?.rows).toMatchObject([
    { attempts: { made: 1, most: 5 }, collects: 'renewal', actions: { retryBlock: null, mayRetry: true } },
  ])
  const key = crypto.randomUUID()
  const { entries } = await verifyAudit()
  for (const _ of [1, 2]) expect((await press('retry', cookies, key))?.redirectTo).toMatch(/\?done=retried$/)
  expect((await auditLog(null, 1))[0]).toMatchObject({ action: 'recovery.retry', subject: orderId })
  expect((await verifyAudit()).entries).toBe(entries + 1)
  const page = await admin.orderPage(place(scenario), orderId, cookies)
  expect(page?.pastDue?.actions).toMatchObject({ retryBlock: 'attempt_open', maySendLink: false, mayWriteOff: false })
  expect((await press('write-off', cookies))?.redirectTo).toMatch(/\?failed=already_in_flight$/)
  await drainTasks()
  expect(await db().payments.count({ where: { order_id: orderId } })).toBe(2)
  expect((await verifyAudit()).entries).toBe(entries + 1)
})

test('the payment link of a past due order can be emailed unless the storefront disabled emails about failed payments', async () => {
  const { scenario, press } = await pastDue()
  const { cookies } = await anOperator('past-due-link@example.com')
  expect((await press('send-link', cookies))?.redirectTo).toMatch(/\?done=linkSent$/)
  await switchKind(scenario.shop.storefrontId, 'payment_failed', false)
  expect((await press('send-link', cookies))?.redirectTo).toMatch(/\?done=emailOff$/)
})

test('no retry is offered while the storefront is suspended or on hold, and the page of the order states the reason', async () => {
  const { scenario, orderId, press } = await pastDue()
  const { cookies } = await anOperator('past-due-suspended@example.com')
  const change = (data: object) => db().storefronts.update({ where: { id: scenario.shop.storefrontId }, data })
  const blocks = async () => [
    (await admin.pastDuePage(place(scenario), {}, cookies))?.rows[0]?.actions.retryBlock,
    (await admin.orderPage(place(scenario), orderId, cookies))?.pastDue?.actions.retryBlock,
  ]
  await change({ suspended_at: new Date(), suspended_reason: 'Fraud' })
  expect(await blocks()).toEqual(['suspended', 'suspended'])
  expect((await press('retry', cookies))?.redirectTo).toMatch(/\?failed=storefront_suspended$/)
  await change({ suspended_at: null, suspended_reason: null, held_at: new Date() })
  expect(await blocks()).toEqual(['onHold', 'onHold'])
  await change({ held_at: null })
  expect(await blocks()).toEqual([null, null])
})

test('writing off a past due payment ends its recovery', async () => {
  const { scenario, orderId, press } = await pastDue()
  const { cookies } = await anOperator('past-due-write-off@example.com')
  expect((await press('write-off', cookies))?.redirectTo).toMatch(/\?done=writtenOff$/)
  await drainTasks()
  expect((await admin.pastDuePage(place(scenario), {}, cookies))?.rows).toEqual([])
  expect((await admin.orderPage(place(scenario), orderId, cookies))?.pastDue).toBeNull()
  expect((await press('write-off', cookies))?.redirectTo).toMatch(/\?failed=order_not_in_recovery$/)
})

test('a role that cannot change subscriptions sees a past due payment without buttons', async () => {
  const { scenario, orderId, press } = await pastDue()
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: scenario.shop.storefrontId } })
  const { cookies } = await aMember('accountant-past-due@example.com', merchant_id, 'accountant')
  const [row] = (await admin.pastDuePage(place(scenario), {}, cookies))?.rows ?? []
  expect(row?.actions).toMatchObject({ mayRetry: false, maySendLink: false, mayWriteOff: false, mayCancel: false })
  for (const intent of ['retry', 'send-link', 'write-off']) expect(await press(intent, cookies)).toBeNull()
  const { cookies: support } = await aMember('support-past-due@example.com', merchant_id, 'support')
  const form = new URLSearchParams({ intent: 'retry', key: crypto.randomUUID() })
  expect(await admin.submitOrder(place(scenario, 'live'), orderId, form, support)).toBeNull()
})
