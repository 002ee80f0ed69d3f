import { beforeAll, expect, test } from 'vitest'
import { db } from '../platform/db/db.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { ordersOf, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

let of: Scenario
let owner: Awaited<ReturnType<typeof aMember>>
let staff: Awaited<ReturnType<typeof anOperator>>
let orderId: string
const place = (scenario = of) => ({ mode: 'test', storefrontId: scenario.shop.storefrontId })
const merchantOf = async ({ shop }: Scenario) =>
  (await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })).merchant_id

/** Exports a list. The audit entry has the storefront as its subject. */
const exported = (cookies: string | null, scenario = of) =>
  admin.exportCsv(place(scenario), 'orders', new URLSearchParams(), cookies)
const refund = (cookies: string | null) =>
  admin.submitOrder(
    place(),
    orderId,
    new URLSearchParams({ intent: 'refund', sum: '1', key: crypto.randomUUID() }),
    cookies,
  )
const actions = async (parameters: Record<string, string> = {}, cookies = owner.cookies) =>
  (await admin.merchantAuditPage(place(), parameters, cookies))?.entries.map(({ action }) => action)

beforeAll(async () => {
  of = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
  orderId = (await ordersOf(of)).at(-1).id
  owner = await aMember('owner-audit@example.com', await merchantOf(of), 'owner')
  staff = await anOperator('staff-audit@example.com')
  await refund(owner.cookies)
  await exported(staff.cookies)
  const other = await subscriptionScenario()
  const stranger = await aMember('stranger-audit@example.com', await merchantOf(other), 'owner')
  await exported(stranger.cookies, other)
})

test('the audit log of an owner contains actions of members and staff, but only in the merchant’s own storefronts', async () => {
  const page = await admin.merchantAuditPage(place(), {}, owner.cookies)
  const entries = page?.entries.map(({ action, who, subject }) => [action, who, subject])
  expect(entries).toContainEqual(['refund.create', 'owner-audit@example.com', orderId])
  expect(entries).toContainEqual(['export.orders', null, of.shop.storefrontId])
  expect(page?.entries.filter(({ action }) => action === 'export.orders')).toHaveLength(1)
  expect(JSON.stringify(page)).not.toMatch(/staff-audit|stranger-audit/)
})

test('an owner can filter the audit log by topic, member, and day', async () => {
  expect(await actions({ topic: 'money' })).toEqual(['refund.create'])
  expect(await actions({ topic: 'bank' })).toEqual([])
  expect(await actions({ topic: 'exports' })).toEqual(['export.orders'])
  const [member] = (await admin.merchantAuditPage(place(), {}, owner.cookies))?.members ?? []
  expect(await actions({ member: member?.id ?? '' })).not.toContain('export.orders')
  expect(await actions({ to: '2020-01-01' })).toEqual([])
  expect(await actions({ from: '2020-01-01', topic: 'money' })).toEqual(['refund.create'])
  expect(await actions({ topic: 'x', member: staff.operatorId, from: 'today' })).toContain('export.orders')
})

test('only owners and staff can open the audit log of a merchant', async () => {
  for (const role of ['developer', 'support', 'accountant'] as const) {
    const { cookies } = await aMember(`${role}-audit@example.com`, await merchantOf(of), role)
    expect(await admin.merchantAuditPage(place(), {}, cookies)).toBeNull()
  }
  expect(await actions({ topic: 'money' }, staff.cookies)).toEqual(['refund.create'])
})
