import { db, type Sql } from '../platform/db/db.ts'
import type { Shop } from './shop.ts'
import type { Scenario } from './subscription-scenario.ts'

/** Creates many sales by copying the rows of one real sale with new ids and invoice numbers, because a thousand checkouts would take minutes. */

const ofOrder = ['checkouts', 'checkout_lines', 'orders', 'order_lines', 'payments', 'sandbox_payments'] as const
const ofSale = ['subscriptions', 'subscription_periods', 'ledger_entries', 'events', 'tasks'] as const

/** The objects that get their own id in each copy. Copies share the customer, the payment method, and the plan. */
const own =
  'checkout|checkout_item|order|order_item|subscription|period|payment|sandbox|ledger|entry|webhook_event|task'
// An id ends in seven random characters, so replacing five of them gives a new id that sorts like the old id.
const id = `\\m(${own})_([0-9A-Za-z]{17})[0-9A-Za-z]{5}`

export const copySale = ({ shop }: Pick<Scenario, 'shop'>, total: number): Promise<void> =>
  copy(shop, total, [...ofOrder, ...ofSale], async (sql) => {
    await sql.$executeRaw`UPDATE invoice_series SET last = ${total} WHERE scope = ${shop.storefrontId}`
    await sql.$executeRaw`UPDATE ledger_accounts SET amount = amount * ${total} WHERE storefront_id = ${shop.storefrontId}`
  })

export const copyOrder = ({ shop }: Pick<Scenario, 'shop'>, total: number): Promise<void> => copy(shop, total, ofOrder)

async function copy(
  { storefrontId }: Shop,
  total: number,
  tables: readonly string[],
  count: (sql: Sql) => Promise<void> = async () => {},
): Promise<void> {
  await db().$transaction(
    async (sql) => {
      for (const table of tables) {
        const parent = { checkout_lines: 'checkout', order_lines: 'order' }[table]
        const mine = parent
          ? `${parent}_id IN (SELECT id FROM ${parent}s WHERE storefront_id = $1)`
          : 'storefront_id = $1'
        const sold =
          {
            events: ` AND name = ANY('{checkout.paid,subscription.started,order.paid}')`,
            tasks: ` AND name = 'subscription.period_end'`,
          }[table] ?? ''
        await sql.$executeRawUnsafe(
          `WITH template AS MATERIALIZED (
            SELECT replace(regexp_replace(to_jsonb(own)::text, '${id}', '\\1_\\2#####', 'g'), '-000001', '-0#####') AS text
            FROM ${table} own WHERE ${mine}${sold})
          INSERT INTO ${table} SELECT copy.* FROM template, generate_series(2, $2::int) n,
            LATERAL jsonb_populate_record(NULL::${table}, replace(text, '#####', lpad(n::text, 5, '0'))::jsonb) copy`,
          storefrontId,
          total,
        )
      }
      await count(sql)
    },
    { timeout: 120_000 },
  )
}

export async function jumpClock({ shop }: Pick<Scenario, 'shop'>, seconds: number): Promise<void> {
  await db()
    .$executeRaw`UPDATE clocks SET ahead_seconds = ahead_seconds + ${seconds} WHERE storefront_id = ${shop.storefrontId}`
  await db().$executeRaw`
    UPDATE tasks SET run_at = run_at - ${seconds} * interval '1 second' WHERE storefront_id = ${shop.storefrontId} AND clock = 'storefront'`
}

/** Moves the times of the n-th subscription forward by (n − 1) × `seconds`, because all copies of a subscription start with equal times. */
export async function spread({ shop: { storefrontId } }: Pick<Scenario, 'shop'>, seconds: number): Promise<void> {
  const late = `((n - 1) * ${seconds}) * interval '1 second'`
  const numbered = `(SELECT id, row_number() OVER (ORDER BY id) AS n FROM subscriptions WHERE storefront_id = $1) AS numbered`
  const endsAt = `to_char((renewed_until) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
  const statements = [
    `UPDATE subscriptions AS s SET renewed_until = renewed_until + ${late}, period_end = period_end + ${late},
       period_start = period_start + ${late}, anchor_at = anchor_at + ${late} FROM ${numbered} WHERE s.id = numbered.id`,
    `UPDATE subscription_periods AS p SET start_at = start_at + ${late}, end_at = end_at + ${late}
     FROM ${numbered} WHERE p.subscription_id = numbered.id`,
    `UPDATE tasks AS t SET due_at = t.due_at + ${late}, run_at = t.run_at + ${late}, key = s.id || ' ' || ${endsAt},
       data = jsonb_build_object('subscriptionId', s.id, 'endsAt', ${endsAt})
     FROM ${numbered} JOIN subscriptions AS s USING (id)
     WHERE t.storefront_id = $1 AND t.name = 'subscription.period_end' AND t.data->>'subscriptionId' = s.id`,
  ]
  for (const statement of statements) await db().$executeRawUnsafe(statement, storefrontId)
}
