import { db } from '../platform/db.ts'
import type { Life } from './life.ts'

/**
 * Many sales in a moment. State arrives through operations everywhere else; here one sale that did is copied in the database, row
 * by row with ids of their own and the next invoice numbers, because a thousand checkouts would take minutes.
 */

const tables = [
  'checkouts',
  'checkout_lines',
  'orders',
  'order_lines',
  'subscriptions',
  'subscription_periods',
  'payments',
  'sandbox_payments',
  'ledger_entries',
  'events',
  'tasks',
] as const

/** What has an id of its own in each copy. The customer, the payment method and the plan are shared. */
const own =
  'checkout|checkout_item|order|order_item|subscription|period|payment|sandbox|ledger|entry|webhook_event|task'
// An id ends in seven random characters: with other ones it is another id, and sorts as before.
const id = `\\m(${own})_([0-9A-Za-z]{18})[0-9A-Za-z]{4}`

/** Until there are `total` sales: copies of the only one of its shop. */
export async function copySale({ shop }: Life, total: number): Promise<void> {
  await db().$transaction(
    async (sql) => {
      for (const table of tables) {
        const parent = { checkout_lines: 'checkout', order_lines: 'order' }[table as string]
        const mine = parent
          ? `${parent}_id IN (SELECT id FROM ${parent}s WHERE storefront_id = $1)`
          : 'storefront_id = $1'
        const sold =
          {
            events: ` AND name = ANY('{checkout.paid,subscription.started,order.paid}')`,
            tasks: ` AND name = 'subscription.period_end'`,
          }[table as string] ?? ''
        await sql.$executeRawUnsafe(
          `WITH template AS MATERIALIZED (
            SELECT replace(regexp_replace(to_jsonb(own)::text, '${id}', '\\1_\\2####', 'g'), '-000001', '-00####') AS text
            FROM ${table} own WHERE ${mine}${sold})
          INSERT INTO ${table} SELECT copy.* FROM template, generate_series(2, $2::int) n,
            LATERAL jsonb_populate_record(NULL::${table}, replace(text, '####', lpad(n::text, 4, '0'))::jsonb) copy`,
          shop.storefrontId,
          total,
        )
      }
      await sql.$executeRaw`UPDATE invoice_series SET last = ${total} WHERE scope = ${shop.storefrontId}`
    },
    { timeout: 30_000 },
  )
}

/** The storefront's clock moves, and what falls due by then is due, at once and for whoever comes. */
export async function clockJumps({ shop }: Life, seconds: number): Promise<void> {
  await db()
    .$executeRaw`UPDATE clocks SET ahead_seconds = ahead_seconds + ${seconds} WHERE storefront_id = ${shop.storefrontId}`
  await db().$executeRaw`
    UPDATE tasks SET ring_at = ring_at - ${seconds} * interval '1 second' WHERE storefront_id = ${shop.storefrontId} AND clock = 'storefront'`
}
