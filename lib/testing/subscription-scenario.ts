import { expect } from 'vitest'
import { schedules } from '../modules/recovery/rules/schedule.ts'
import { db } from '../platform/db/db.ts'
import { runAdvance } from '../platform/jobs/test-clock.ts'
import { tasks } from '../server/jobs.ts'
import { send } from './api.ts'
import * as factories from './factories.ts'
import { aShop, runDueTasks, type Shop } from './shop.ts'

export interface Scenario {
  readonly shop: Shop
  readonly key: string
  readonly planId: string
  readonly id: string
  readonly customerId: string
}

/** Sells a subscription, by default for 100.00 per month without tax (the buyer has a valid foreign tax ID) at 2027-01-01T00:00:00Z. */
export async function subscriptionScenario({
  at = '2027-01-01T00:00:00Z',
  plan = {},
  item = {},
  buyer = {},
  checkout: options = {},
}: {
  at?: string
  plan?: object
  item?: object
  buyer?: object
  checkout?: object
} = {}): Promise<Scenario> {
  const shop = await aShop({ at })
  const key = shop.testKey
  const { id: planId } = await factories.aPlan(key, { basePrice: factories.price('100.00'), ...plan })
  const checkout = await factories.aCheckout(key, planId, { products: [{ id: planId, ...item }], ...options })
  const paid = await factories.pay(key, checkout, { country: 'DE', taxId: 'DE1', ...buyer })
  await drainTasks()
  const { data } = await get(key, `/v1/customers/${paid.customerId}/subscriptions`)
  return { shop, key, planId, id: data[0].id, customerId: paid.customerId }
}

export async function get(key: string, path: string) {
  const reply = await send(`GET ${path}`, { key })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}

export const subscriptionOf = ({ key, id }: Scenario) => get(key, `/v1/subscriptions/${id}`)

/** Returns a resource without its payment fields. A late payment changes these fields without an event of the subscription. */
export function withoutPayment<Resource extends object>(resource: Resource) {
  const {
    paidUntil: _until,
    recovery: _recovery,
    paymentFailure: _failure,
    ...rest
  } = resource as Resource & Partial<Record<'paidUntil' | 'recovery' | 'paymentFailure', unknown>>
  return rest
}

/** The time between a soft decline and the first retry, as an ISO 8601 duration. */
export const untilFirstRetry = `P${schedules.soft.find(({ does }) => does === 'charge')?.daysAfterPreviousStep}D`

export const ordersOf = async ({ key }: Scenario) => (await get(key, '/v1/orders?limit=100')).data.reverse()

export async function ask(scenario: Scenario, line: string, body?: object) {
  const reply = await send(line.replace('{id}', scenario.id), { key: scenario.key, ...(body && { body }) })
  await drainTasks()
  return reply
}

export async function clockTo(key: string, to: string): Promise<void> {
  await move(key, { to })
}

export async function pass({ key }: Pick<Scenario, 'key'>, by: string): Promise<void> {
  await move(key, { by })
}

async function move(key: string, body: object): Promise<void> {
  const reply = await send('POST /v1/test-helpers/clock/advance', { key, body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  expect(await arrival(key, reply.body.remaining)).toBe(0)
  await drainTasks()
}

/**
 * Finishes an advance that did not end within its request, as happens on a busy machine. Returns the number of
 * remaining tasks.
 */
export async function arrival(key: string, remaining: number): Promise<number> {
  const [moving] = await db().$queryRaw<{ id: string }[]>`
    SELECT storefront_id AS id FROM clocks JOIN api_keys USING (storefront_id)
    WHERE hash = sha256(convert_to(${key}, 'UTF8')) AND advancing_to IS NOT NULL`
  if (!moving) return remaining
  return arrival(key, (await runAdvance(moving.id, tasks.embedded, Date.now() + 60_000, null)).remaining)
}

export async function drainTasks(): Promise<void> {
  await db().$executeRaw`
    UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()) WHERE clock = 'real' AND leased_until IS NULL AND name LIKE 'testmode.%'`
  await runDueTasks()
}
