import { beforeAll, expect, test } from 'vitest'
import { db } from '../platform/db/db.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { drainTasks, ordersOf, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { raise } from '../workflows/chargeback/operations.ts'
import * as admin from './pages.ts'

const buyer = { fullName: 'Ada Lovelace', companyName: '', country: 'NL', taxId: '' }
let cookies: string | null = null
let first: Scenario
let second: Scenario
let ids: { late: string; early: string; decide: string }

async function dispute(of: Scenario, amount: string, respondBy: string | null): Promise<string> {
  const [order] = await ordersOf(of)
  const { chargebackId } = await raise(order.id, { amount, reason: 'fraud' })
  await drainTasks()
  await db().chargebacks.update({ where: { id: chargebackId }, data: { respond_by: respondBy } })
  return chargebackId
}

const shown = async (parameters: Record<string, string> = {}) => admin.openDisputesPage(parameters, cookies)
const idsOf = async (parameters: Record<string, string> = {}) => (await shown(parameters))?.rows.map(({ id }) => id)
const badge = async () =>
  (await admin.serviceFrame(cookies))?.staff?.find(({ section }) => section === 'disputes')?.count

beforeAll(async () => {
  ;({ cookies } = await anOperator('open-disputes@example.com'))
  first = await subscriptionScenario({ buyer })
  second = await subscriptionScenario({ buyer })
  const third = await subscriptionScenario({ buyer })
  ids = {
    late: await dispute(first, '1.00', '2030-02-02T00:00:00Z'),
    early: await dispute(second, '2.00', '2030-01-01T00:00:00Z'),
    decide: await dispute(third, '500.00', null),
  }
})

test('staff see the open disputes of all storefronts, sorted by deadline, each with its storefront, customer, and amount', async () => {
  expect(await idsOf()).toEqual([ids.early, ids.late, ids.decide])
  const [row] = (await shown())?.rows ?? []
  expect(row).toMatchObject({
    respondBy: '2030-01-01T00:00:00Z',
    customer: 'Ada Lovelace',
    storefront: 'Lumen Software',
    amount: { value: '2.00' },
    reason: 'fraud',
    url: `/admin/test/${second.shop.storefrontId}/chargebacks/${ids.early}`,
  })
})

test('the list of open disputes can be paged in both directions and filtered by status', async () => {
  expect(await idsOf({ startingAfter: ids.early })).toEqual([ids.late, ids.decide])
  expect((await shown({ startingAfter: ids.early }))?.newerUrl).toBe(`/admin/chargebacks?endingBefore=${ids.late}`)
  expect(await idsOf({ endingBefore: ids.decide })).toEqual([ids.early, ids.late])
  expect(await idsOf({ status: 'requires_amount_review' })).toEqual([ids.decide])
  expect(await idsOf({ status: 'pending' })).toEqual([ids.early, ids.late])
  expect(await idsOf({ status: 'won' })).toHaveLength(3)
})

test('the sidebar counts a dispute of test mode as open only if staff must review its amount', async () => {
  expect(await badge()).toBe(1)
  await db().chargebacks.update({ where: { id: ids.decide }, data: { status: 'pending' } })
  expect(await badge()).toBe(0)
  await db().chargebacks.update({ where: { id: ids.decide }, data: { status: 'requires_amount_review' } })
})

test('the export of open disputes contains all open disputes with their deadlines', async () => {
  const file = await admin.exportStaffCsv('chargebacks', new URLSearchParams(), cookies)
  let text = ''
  for await (const part of file?.parts ?? []) text += Buffer.from(part).toString('utf8')
  for (const id of Object.values(ids)) expect(text).toContain(id)
  expect(text).toContain('2030-01-01')
})

test('the dispute list of a storefront shows the customer and the deadline of each dispute', async () => {
  const at = { mode: 'test', storefrontId: second.shop.storefrontId }
  const { rows } = (await admin.chargebacksPage(at, {}, cookies)) ?? {}
  expect(rows).toMatchObject([{ id: ids.early, customer: 'Ada Lovelace', respondBy: '2030-01-01T00:00:00Z' }])
})

test('a member does not see the disputes of all storefronts', async () => {
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: first.shop.storefrontId } })
  const owner = await aMember('owner-disputes@example.com', merchant_id, 'owner')
  expect(await admin.openDisputesPage({}, owner.cookies)).toBeNull()
})
