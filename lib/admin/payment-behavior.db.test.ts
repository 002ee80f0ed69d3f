import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog } from '../modules/audit/operations.ts'
import { db } from '../platform/db/db.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { booksOf } from '../testing/scenarios.ts'
import { pass, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
beforeAll(async () => {
  ;({ cookies } = await anOperator('behavior@example.com'))
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const place = ({ shop }: Scenario, mode = 'test') => ({ mode, storefrontId: shop.storefrontId })
const save = (
  scenario: Scenario,
  fields: { behavior: string; times?: string },
  { by = cookies, mode = 'test' }: { by?: string | null; mode?: string } = {},
) => {
  const form = new URLSearchParams({ intent: 'payment-behavior', key: crypto.randomUUID(), times: '', ...fields })
  return admin.submitSubscription(place(scenario, mode), scenario.id, form, by)
}
const behaviorOn = async (scenario: Scenario, by = cookies) =>
  (await admin.subscriptionPage(place(scenario), scenario.id, by))?.paymentBehavior

test('the chosen test outcome applies to the chosen number of future payments', async () => {
  const scenario = await subscriptionScenario()
  expect(await behaviorOn(scenario)).toMatchObject({ chosen: 'paid', times: '' })
  const next = await save(scenario, { behavior: 'insufficient_funds', times: '1' })
  expect(next?.redirectTo).toMatch(/\?done=paymentBehavior$/)
  expect((await auditLog(null, 1))[0]).toMatchObject({
    action: 'subscription.set_payment_behavior',
    subject: scenario.id,
    after: { outcome: 'failed', failureReason: 'insufficient_funds', times: 1 },
  })
  await pass(scenario, 'P1M')
  expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'pending', attempts: ['failed'] })
  await pass(scenario, 'P3D')
  expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'paid', attempts: ['failed', 'paid'] })
})

test('a form with a wrong number or outcome of test payments is refused, names the wrong field, and changes nothing', async () => {
  const scenario = await subscriptionScenario()
  for (const [field, fields] of [
    ['times', { behavior: 'insufficient_funds', times: '101' }],
    ['times', { behavior: 'insufficient_funds', times: 'x' }],
    ['times', { behavior: 'paid', times: '2' }],
    ['failureReason', { behavior: 'bad_mood' }],
  ] as const) {
    const next = await save(scenario, fields)
    expect(next?.redirectTo).toMatch(/\?form=\w+#problems$/)
    const form = new URL(next?.redirectTo ?? '', 'http://localhost').searchParams.get('form')
    const left = `${cookies}; ${next?.cookie?.split(';')[0]}`
    const page = (await admin.subscriptionPage(place(scenario), scenario.id, left, { form }))?.paymentBehavior
    expect(Object.keys(page?.problems ?? {}), JSON.stringify(fields)).toEqual([field])
    expect(page).toMatchObject({ chosen: fields.behavior, times: 'times' in fields ? fields.times : '' })
  }
  await pass(scenario, 'P1M')
  expect((await booksOf(scenario)).at(-1)).toEqual({ status: 'paid', attempts: ['paid'] })
})

test('the form for test payments is missing in live mode and for roles that cannot advance the clock', async () => {
  const scenario = await subscriptionScenario()
  const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: scenario.shop.storefrontId } })
  const { cookies: by } = await aMember('support-behavior@example.com', merchant_id, 'support')
  expect(await behaviorOn(scenario, by)).toBeNull()
  expect(await save(scenario, { behavior: 'paid' }, { by })).toBeNull()
  expect(await save(scenario, { behavior: 'paid' }, { mode: 'live' })).toBeNull()
})
