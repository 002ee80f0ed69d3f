import { describe, expect, test } from 'vitest'
import { mostPreviews } from '@/lib/modules/subscriptions/change-previews.ts'
import { db } from '@/lib/platform/db/db.ts'
import { ask, pass, type Scenario, subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'
import { hold, release } from '@/lib/workflows/transfer/hold.ts'

async function previewed(scenario: Scenario, body: object): Promise<{ asOf: string }> {
  const reply = await ask(scenario, 'POST /v1/subscriptions/{id}/preview', body)
  expect(reply).toMatchObject({ status: 200, body: { refusal: null } })
  return reply.body
}

const stored = ({ id }: Scenario) => db().change_previews.count({ where: { subscription_id: id } })

/** Stores previews that are newer than the existing previews of the subscription. */
const storeMany = ({ id, shop }: Scenario, count: number) => db().$executeRaw`
  INSERT INTO change_previews (subscription_id, storefront_id, testmode, request, as_of, computed_for, amounts, created_at)
  SELECT ${id}, ${shop.storefrontId}, true, 'request ' || n, clock_timestamp(), clock_timestamp(), '', clock_timestamp()
  FROM generate_series(1, ${count}::int) AS n`

describe('the stored previews of a subscription', () => {
  test('a new preview deletes the oldest stored previews of its subscription that exceed the maximum number', async () => {
    const [scenario, other] = [await subscriptionScenario(), await subscriptionScenario()]
    const first = await previewed(scenario, { quantity: 2 })
    await storeMany(scenario, mostPreviews + 5)
    await storeMany(other, mostPreviews + 5)
    const last = await previewed(scenario, { quantity: 3 })
    expect([await stored(scenario), await stored(other)]).toEqual([mostPreviews, mostPreviews + 5])
    const times = [new Date(first.asOf), new Date(last.asOf)]
    const left = await db().change_previews.findMany({
      where: { subscription_id: scenario.id, as_of: { in: times }, NOT: { request: { startsWith: 'request ' } } },
    })
    expect(left.map(({ as_of }) => as_of)).toEqual([new Date(last.asOf)])
  })

  test('a repeated preview deletes nothing', async () => {
    const scenario = await subscriptionScenario()
    const { asOf } = await previewed(scenario, { quantity: 2 })
    await storeMany(scenario, mostPreviews - 1)
    expect((await previewed(scenario, { quantity: 2, asOf })).asOf).toBe(asOf)
    expect(await stored(scenario)).toBe(mostPreviews)
  })

  test('a change with the asOf of a deleted preview is refused only if the subscription has changed since', async () => {
    const scenario = await subscriptionScenario()
    await pass(scenario, 'PT1M')
    const { asOf } = await previewed(scenario, { quantity: 2 })
    await storeMany(scenario, mostPreviews)
    await previewed(scenario, { quantity: 3 })
    await pass(scenario, 'PT1M')
    const change = () => ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 2, asOf })
    expect((await change()).status).toBe(200)
    expect(await change()).toMatchObject({ status: 422, body: { errors: { asOf: expect.anything() } } })
  })

  test('a preview of a storefront on hold is returned and not stored', async () => {
    const scenario = await subscriptionScenario()
    await hold(scenario.shop.storefrontId)
    const shown = await previewed(scenario, { quantity: 2 })
    expect(await previewed(scenario, { quantity: 2, asOf: shown.asOf })).toEqual(shown)
    expect(await stored(scenario)).toBe(0)
    await release(scenario.shop.storefrontId)
    await previewed(scenario, { quantity: 2 })
    expect(await stored(scenario)).toBe(1)
  })
})
