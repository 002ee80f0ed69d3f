import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, verifyAudit } from '../../modules/audit/operations.ts'
import type { SubscriptionAction } from '../../modules/subscriptions/page.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { anOperator } from '../../testing/operator.ts'
import { type Scenario, settle, subscriptionOf, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import * as admin from './hosted.ts'

/** What a page of a subscription says, and what its buttons then do. */

let cookies: string | null = null

beforeAll(async () => {
  ;({ cookies } = await anOperator('acts@example.com'))
})
afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const place = ({ shop }: Pick<Scenario, 'shop'>) => ({ mode: 'test', storefrontId: shop.storefrontId })
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const newestEntries = async (count: number) => (await auditLog(null, count)).map(({ action }) => action)

const pageOf = async (scenario: Scenario) => {
  const page = await admin.subscriptionPage(place(scenario), scenario.id, cookies)
  if (!page) throw new Error('there is no such page')
  return page
}

/** The form of an action, as the page has it. */
async function formOf(scenario: Scenario, action: SubscriptionAction): Promise<URLSearchParams> {
  const found = (await pageOf(scenario)).actions.find((each) => each.action === action)
  if (!found) throw new Error(`${action} is not offered`)
  return form({ intent: action, key: found.formKey })
}

const post = async (scenario: Scenario, sent: URLSearchParams) =>
  (await admin.submitSubscription(place(scenario), scenario.id, sent, cookies))?.redirectTo.split('?').at(-1)

describe('a form of an action', () => {
  test.each(['pause', 'unpause'] as const)(
    'to %s takes effect once, and both clicks have one answer',
    async (action) => {
      const scenario = await subscriptionScenario()
      if (action === 'unpause') await post(scenario, await formOf(scenario, 'pause'))
      const sent = await formOf(scenario, action)
      const { entries } = await verifyAudit()
      expect(await Promise.all([post(scenario, sent), post(scenario, sent)])).toEqual([
        `done=${action}`,
        `done=${action}`,
      ])
      expect(await post(scenario, sent)).toBe(`done=${action}`)
      expect((await verifyAudit()).entries).toBe(entries + 1)
      expect(await newestEntries(1)).toEqual([`subscription.${action}`])
    },
  )

  test('that was done does not answer for another one of the same page', async () => {
    const scenario = await subscriptionScenario()
    const [cancel, cancelNow] = [await formOf(scenario, 'cancel'), await formOf(scenario, 'cancelNow')]
    const { actions } = await pageOf(scenario)
    expect(new Set(actions.map(({ formKey }) => formKey)).size).toBe(actions.length)
    expect(await post(scenario, cancel)).toBe('done=cancel')
    expect(await post(scenario, cancelNow)).toBe('done=cancelNow')
    await settle()
    expect((await subscriptionOf(scenario)).status).toBe('canceled')
  })
})
