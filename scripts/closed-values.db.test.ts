import { beforeAll, describe, expect, it } from 'vitest'
import { keyScopes } from '../lib/kernel/key-scope.ts'
import { failureReasons } from '../lib/modules/payments/rules/failure.ts'
import { collected } from '../lib/modules/recovery/rules/index.ts'
import type { TaxIdRegistry } from '../lib/modules/tax/rules/live-mode-tax.ts'
import { db, type Sql } from '../lib/platform/db/db.ts'
import { dispatchQueue, queues, type Task } from '../lib/platform/jobs/tasks.ts'
import { ask, ordersOf, pass, subscriptionScenario } from '../lib/testing/subscription-scenario.ts'

const clocks: readonly Task<unknown>['clock'][] = ['storefront', 'real']
const registries: readonly TaxIdRegistry[] = ['vies', 'hmrc']
/** Lists of allowed values that occur both in the code and in a CHECK constraint. */
const lists: readonly (readonly [column: string, rule: string, values: readonly string[]])[] = [
  ...['payments', 'recoveries', 'fast_forwards', 'simulations'].map(
    (table) => [`${table}.failure_reason`, `${table}_failure_reason`, failureReasons] as const,
  ),
  ['api_keys.scope', 'api_keys_scope', keyScopes],
  ['recoveries.collects', 'recoveries_collects', collected],
  ['tasks.queue', 'tasks_queue', [...queues, dispatchQueue]],
  ['tasks.clock', 'tasks_clock', clocks],
  ['tax_id_checks.source', 'tax_id_checks_source', registries],
]

describe('the database', () => {
  it.each(lists)('a CHECK constraint on %s accepts exactly the values of the code', async (_, rule, values) => {
    const [row] = await db().$queryRaw<{ definition: string }[]>`
      SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = ${rule}`
    const listed = [...(row?.definition ?? '').matchAll(/'(\w+)'::text/g)].map(([, value]) => value)
    expect(listed).toEqual([...values])
  })

  it('every constraint of the database is validated for all rows', async () => {
    expect(await db().$queryRaw`SELECT conname::text FROM pg_constraint WHERE NOT convalidated`).toEqual([])
  })
})

describe('constraints on a subscription that ended after a failed charge', () => {
  let ids: { id: string; orderId: string }
  beforeAll(async () => {
    const scenario = await subscriptionScenario()
    const failed = { paymentStatus: 'failed', failureReason: 'card_expired' }
    await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', failed)
    await pass(scenario, 'P7D')
    const [first] = await ordersOf(scenario)
    ids = { id: scenario.id, orderId: first.id }
  })

  async function saidTo(update: (sql: Sql) => Promise<number>): Promise<string> {
    const change = db().$transaction(async (sql) => {
      throw new Error(`${await update(sql)} rows were changed`)
    })
    return change.catch(String)
  }

  it.each<[rule: string, update: (sql: Sql) => Promise<number>]>([
    [
      'payments_finished',
      (sql) => sql.$executeRaw`UPDATE payments SET finished_at = NULL WHERE order_id = ${ids.orderId}`,
    ],
    [
      'payments_finished',
      (sql) => sql.$executeRaw`
        UPDATE payments SET status = 'open', paid_order_id = NULL, open_order_id = order_id WHERE order_id = ${ids.orderId}`,
    ],
    [
      'payments_failure_reason',
      (sql) => sql.$executeRaw`UPDATE payments SET failure_reason = 'bogus' WHERE order_id = ${ids.orderId}`,
    ],
    [
      'orders_number_in_series',
      (sql) => sql.$executeRaw`UPDATE orders SET invoice_scope = NULL WHERE id = ${ids.orderId}`,
    ],
    [
      'recoveries_next_step',
      (sql) => sql.$executeRaw`UPDATE recoveries SET next_step_at = now() WHERE subscription_id = ${ids.id}`,
    ],
    [
      'fast_forwards_failure_reason',
      (sql) => sql.$executeRaw`UPDATE fast_forwards SET failure_reason = 'bogus' WHERE subscription_id = ${ids.id}`,
    ],
  ])('the constraint %s refuses an update to invalid values', async (rule, update) => {
    expect(await saidTo(update)).toContain(`violates check constraint "${rule}"`)
  })
})
