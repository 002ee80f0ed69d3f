import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createKey } from '@/lib/modules/accounts/operations.ts'
import { config } from '@/lib/platform/config.ts'
import { db } from '@/lib/platform/db/db.ts'
import { allRows } from '@/lib/testing/all-rows.ts'
import { amount } from '@/lib/testing/amount.ts'
import { send } from '@/lib/testing/api.ts'
import { aPlan, price } from '@/lib/testing/factories.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { lockOn } from '@/lib/testing/lock-on.ts'
import { raceBehind } from '@/lib/testing/race-behind.ts'
import { advanceWithoutTasks } from '@/lib/testing/scenarios.ts'
import { runDueTasks } from '@/lib/testing/shop.ts'
import {
  ask,
  clockTo,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '@/lib/testing/subscription-scenario.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const at = '2027-06-01T00:00:00Z'
const inJune = { at, buyer: { country: 'NL', taxId: '' } }
const june16 = '2027-06-16T00:00:00Z'
/** The test clock advances with real time, so the seconds vary. */
const startOfJuly = expect.stringMatching(/^2027-07-01T00:00:\d\dZ$/)
const invoiced = { applyImmediately: true, invoiceImmediately: true }

const preview = (scenario: Scenario, body: object) => ask(scenario, 'POST /v1/subscriptions/{id}/preview', body)
const change = (scenario: Scenario, body: object) => ask(scenario, 'PATCH /v1/subscriptions/{id}', body)

async function previewed(scenario: Scenario, body: object) {
  const reply = await preview(scenario, body)
  expect(reply).toMatchObject({ status: 200, body: { refusal: null } })
  return reply.body
}

/** The texts of a preview can contain the time, which differs between the preview and the change. */
const withoutSeconds = (body: unknown) => JSON.parse(JSON.stringify(body).replace(/(T\d\d:\d\d):\d\dZ/g, '$1Z'))

// biome-ignore lint/suspicious/noExplicitAny: an order, as the API returned it
const asPreview = ({ lines, subtotal, taxSummary, total }: any) => ({
  // biome-ignore lint/suspicious/noExplicitAny: a line, as the API returned it
  lines: lines.map(({ id, links, ...line }: any) => line),
  subtotal,
  taxSummary,
  total,
})

describe('a preview of a change', () => {
  test('a change preview has the charge of the change and of the next renewal, and changes nothing', async () => {
    const scenario = await subscriptionScenario(inJune)
    await clockTo(scenario.key, june16)
    const before = await allRows()
    const shown = await previewed(scenario, { quantity: 3, ...invoiced })
    expect(await allRows()).toEqual(before)

    expect(shown.asOf).toMatch(/^2027-06-16T00:0\d:\d\dZ$/)
    await pass(scenario, 'PT40M')
    expect((await change(scenario, { quantity: 3, ...invoiced, asOf: shown.asOf })).status).toBe(200)
    await clockTo(scenario.key, '2027-07-01T00:01:00Z')
    const [, charged, renewal] = await ordersOf(scenario)
    expect(shown.dueNow).toEqual(asPreview(charged))
    expect(shown.nextRenewal).toEqual({ at: startOfJuly, ...asPreview(renewal) })
    expect(shown.nextRenewal.total).toEqual(price('363.00'))
  })

  test('a preview of a scheduled change has the new terms at the renewal, and no charge now', async () => {
    const scenario = await subscriptionScenario(inJune)
    const shown = await previewed(scenario, { quantity: 5 })
    expect(shown).toMatchObject({
      dueNow: null,
      nextRenewal: { at: startOfJuly, total: price('605.00'), lines: [{ quantity: 5 }] },
    })
  })

  test('the preview of a change to the current values shows that nothing is due now and that the renewal is unchanged', async () => {
    const scenario = await subscriptionScenario(inJune)
    const shown = await previewed(scenario, { quantity: 1, ...invoiced })
    expect(shown).toMatchObject({ dueNow: null, nextRenewal: { total: price('121.00') } })
  })

  test('a change preview for a subscription in its grace period has no renewal', async () => {
    const scenario = await subscriptionScenario(inJune)
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await clockTo(scenario.key, june16)
    const shown = await previewed(scenario, { quantity: 2, ...invoiced })
    expect(shown.dueNow.total).toEqual(expect.objectContaining({ value: expect.stringMatching(/^\d+\.\d\d$/) }))
    expect(shown.nextRenewal).toBeNull()
  })

  test('a change preview accepts a read-only API key, and ignores an idempotency key', async () => {
    const { shop, id } = await subscriptionScenario(inJune)
    const { key } = await createKey({ ...shop.scope, scope: 'read_only' })
    const before = await db().idempotency_keys.count()
    for (const quantity of [2, 3]) {
      const reply = await send(`POST /v1/subscriptions/${id}/preview`, {
        key,
        body: { quantity },
        headers: { 'idempotency-key': 'the-same' },
      })
      expect(reply).toMatchObject({ status: 200, body: { nextRenewal: { lines: [{ quantity }] } } })
      expect(reply.headers.get('Idempotent-Replayed')).toBeNull()
    }
    expect(await db().idempotency_keys.count()).toBe(before)
  })
})

describe('the preview of a change that would be refused', () => {
  /** Checks that the API refuses the change, that the preview has the status 200 and states the same error, and that nothing changes. */
  async function refusedAlike(scenario: Scenario, body: object) {
    const before = await subscriptionOf(scenario)
    const shown = await preview(scenario, body)
    expect(shown).toMatchObject({ status: 200, body: { dueNow: null, nextRenewal: null } })
    const refused = await change(scenario, body)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    const { requestId, details, ...said } = refused.body
    expect(withoutSeconds(shown.body.refusal)).toEqual(withoutSeconds(said))
    expect(await subscriptionOf(scenario)).toEqual(before)
    return said
  }

  test('if a change breaks a business rule, its preview reports the same error as the change', async () => {
    const scenario = await subscriptionScenario(inJune)
    await clockTo(scenario.key, june16)
    const archived = await aPlan(scenario.key)
    await send(`POST /v1/subscription-plans/${archived.id}/archive`, { key: scenario.key })
    const gross = await aPlan(scenario.key, { taxBehavior: 'inclusive' })
    const cases = [
      [{ price: price('1.00'), ...invoiced }, ['applyImmediately']],
      [{ subscriptionPlanId: archived.id }, ['subscriptionPlanId']],
      [{ subscriptionPlanId: gross.id, quantity: 2 }, ['subscriptionPlanId']],
      [{ subscriptionPlanId: 'subscription_plan_0000000000000000000000' }, ['subscriptionPlanId']],
      [{ price: price('10.00', 'USD') }, ['price.currency']],
      [{ quantity: 2, anchor: '2027-06-01' }, ['anchor']],
      [{ quantity: 2, trialUntil: '2027-06-02T00:00:00Z' }, ['trialUntil']],
      [{ quantity: 999_999, price: price('200.00') }, ['quantity']],
    ] as const
    for (const [body, fields] of cases)
      expect(Object.keys((await refusedAlike(scenario, body)).errors)).toEqual(expect.arrayContaining([...fields]))
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    expect(await refusedAlike(scenario, { quantity: 2 })).toHaveProperty('errors.applyImmediately')
    await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
    expect(await refusedAlike(scenario, { quantity: 2, ...invoiced })).toMatchObject({
      code: 'subscription_not_changeable',
    })
  })

  test('while the storefront is suspended or after too many charges, a change preview reports the same error as the change', async () => {
    const scenario = await subscriptionScenario(inJune)
    await clockTo(scenario.key, june16)
    const { rateLimitCharges } = config()
    Object.assign(config(), { rateLimitCharges: 1 })
    try {
      expect((await change(scenario, { quantity: 2, ...invoiced })).status).toBe(200)
      expect(await refusedAlike(scenario, { quantity: 3, ...invoiced })).toMatchObject({ code: 'too_many_charges' })
    } finally {
      Object.assign(config(), { rateLimitCharges })
    }
    await db().storefronts.update({
      where: { id: scenario.shop.storefrontId },
      data: { suspended_at: new Date(), suspended_reason: 'Suspected fraud' },
    })
    expect(await refusedAlike(scenario, { quantity: 3, ...invoiced })).toMatchObject({ code: 'storefront_suspended' })
    expect((await previewed(scenario, { quantity: 3 })).nextRenewal.lines[0]).toMatchObject({ quantity: 3 })
  })

  test('a change preview reports all wrong fields and references with 422, and an unknown subscription with 404', async () => {
    const scenario = await subscriptionScenario(inJune)
    const wrong = { quantity: 0, subscriptionPlanId: 'subscription_plan_0000000000000000000000' }
    for (const asking of [preview, change])
      expect(await asking(scenario, wrong)).toMatchObject({
        status: 422,
        body: { errors: { quantity: expect.anything(), subscriptionPlanId: expect.anything() } },
      })
    expect(await preview(scenario, {})).toMatchObject({ status: 422 })
    const other = await subscriptionScenario(inJune)
    expect(await preview({ ...scenario, id: other.id }, { quantity: 2 })).toMatchObject({ status: 404 })
  })
})

describe('asOf', () => {
  const seconds = (moment: string, by: number) =>
    new Date(Date.parse(moment) + by * 1000).toISOString().replace('.000', '')

  test('asOf of a change is refused if it is in the future, older than an hour, or before the last change', async () => {
    const scenario = await subscriptionScenario(inJune)
    await clockTo(scenario.key, june16)
    const { asOf } = await previewed(scenario, { quantity: 2 })
    const cases = [
      [seconds(asOf, 600), /^Must not be in the future: it is 2027-06-16T00:\d\d:\d\dZ\.$/],
      [seconds(asOf, -3601), /^Must be at most one hour old: not before 2027-06-15T23:\d\d:\d\dZ\.$/],
    ] as const
    for (const asking of [preview, change])
      for (const [moment, sentence] of cases)
        expect(await asking(scenario, { quantity: 2, ...invoiced, asOf: moment })).toMatchObject({
          status: 422,
          body: { code: 'validation_failed', errors: { asOf: [expect.stringMatching(sentence)] } },
        })
    await pass(scenario, 'PT5M')
    expect((await change(scenario, { quantity: 4, ...invoiced })).status).toBe(200)
    for (const asking of [preview, change])
      expect(await asking(scenario, { quantity: 2, ...invoiced, asOf })).toMatchObject({
        status: 422,
        body: {
          errors: { asOf: [expect.stringMatching(/^Must not be before the last change of the subscription, /)] },
        },
      })
  })

  test('asOf null means the current time, and asOf accepts a time with a UTC offset', async () => {
    const scenario = await subscriptionScenario(inJune)
    await clockTo(scenario.key, june16)
    const { asOf } = await previewed(scenario, { quantity: 2, ...invoiced, asOf: null })
    await pass(scenario, 'PT5M')
    const zoned = `${seconds(asOf, 7200).slice(0, 19)}+02:00`
    expect((await previewed(scenario, { quantity: 2, ...invoiced, asOf: zoned })).asOf).toBe(asOf)
  })

  test.each([0, 1])(
    'a change with asOf that arrives during a renewal is either charged as previewed or refused (sequence %i)',
    async (order) => {
      const scenario = await subscriptionScenario(inJune)
      await clockTo(scenario.key, '2027-06-30T23:50:00Z')
      const body = { quantity: 3, ...invoiced }
      const shown = await previewed(scenario, body)
      await advanceWithoutTasks(scenario, { minutes: 20 })
      const racers = [
        async () => void (await runDueTasks()),
        () =>
          send(`PATCH /v1/subscriptions/${scenario.id}`, { key: scenario.key, body: { ...body, asOf: shown.asOf } }),
      ]
      const ends = await raceBehind(
        lockOn('subscriptions', scenario.id),
        order === 0 ? racers : racers.toReversed(),
        racers.length,
        undefined,
        { inTurn: true },
      )
      await runDueTasks()
      const reply = ends.flatMap((end) => (end.status === 'fulfilled' && end.value ? [end.value] : []))[0]
      const orders = await ordersOf(scenario)
      if (reply?.status === 200) expect(orders.map(asPreview)).toContainEqual(shown.dueNow)
      else expect(reply).toMatchObject({ status: 422, body: { errors: { asOf: expect.anything() } } })
      expect(orders).toHaveLength(reply?.status === 200 ? 3 : 2)
    },
  )
})

describe('random previews', () => {
  const bodies = fc.record(
    {
      plan: fc.constantFrom('month', 'year', 'week'),
      quantity: fc.integer({ min: 1, max: 9 }),
      value: fc.integer({ min: 100, max: 90_000 }),
      prorate: fc.boolean(),
      applyImmediately: fc.boolean(),
      invoiceImmediately: fc.boolean(),
      resetAnchor: fc.boolean(),
    },
    { requiredKeys: ['quantity', 'applyImmediately'] },
  )
  const cases = fc.record({
    bodies: fc.array(bodies, { minLength: 1, maxLength: 3 }),
    afterHours: fc.integer({ min: 1, max: 6 * 24 }),
    minutes: fc.integer({ min: 0, max: 58 }),
  })
  const samples = fc.sample(cases, { seed: 20_261_128, numRuns: amount({ short: 4, long: 200 }) })

  test.each(samples.map((sample, index) => ({ index, ...sample })))(
    'the amounts of a random preview equal the amounts of the following change and renewal ($index)',
    async ({ bodies, afterHours, minutes }) => {
      const scenario = await subscriptionScenario({ ...inJune, item: { quantity: 2 } })
      const { key } = scenario
      const plans = {
        month: await aPlan(key, { basePrice: price('150.00') }),
        year: await aPlan(key, { basePrice: price('900.00'), interval: 'year' }),
        week: await aPlan(key, { basePrice: price('33.33'), interval: 'week' }),
      }
      for (const { plan, value, ...rest } of bodies) {
        const body = {
          ...rest,
          ...(plan && { subscriptionPlanId: plans[plan].id }),
          ...(value !== undefined && { price: price((value / 100).toFixed(2)) }),
        }
        await pass(scenario, `PT${afterHours}H`)
        const { body: shown } = await preview(scenario, body)
        await pass(scenario, `PT${minutes}M`)
        const known = await ordersOf(scenario)
        const made = await change(scenario, { ...body, asOf: shown.asOf })
        const [charged] = (await ordersOf(scenario)).slice(known.length)
        if (made.status !== 200) {
          const { code, message, errors } = made.body
          expect(withoutSeconds(shown.refusal)).toEqual(withoutSeconds({ code, message, ...(errors && { errors }) }))
          continue
        }
        expect(shown.refusal).toBeNull()
        expect(shown.dueNow).toEqual(charged ? asPreview(charged) : null)
        expect(made.body.nextRenewalAt).toBe(shown.nextRenewal.at)
        expect(
          (await previewed(scenario, { quantity: made.body.quantity, applyImmediately: true })).nextRenewal,
        ).toEqual(shown.nextRenewal)
      }
      const { quantity } = await subscriptionOf(scenario)
      const { at: due, ...renewal } = (await previewed(scenario, { quantity, applyImmediately: true })).nextRenewal
      const known = await ordersOf(scenario)
      await clockTo(key, due)
      expect((await ordersOf(scenario)).slice(known.length).map(asPreview)).toEqual([renewal])
    },
  )
})
