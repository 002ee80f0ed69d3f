import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

/**
 * This file uses COPY to fill a database with copies of one renewed subscription. Each copy has a customer, a mandate,
 * a task, and five orders. PostgreSQL checks CHECK constraints, but does not check foreign keys or run triggers.
 * Indexes of large tables are created after the copy.
 */

export const ordersOfEach = 5
export const eventsOfEach = 5
/**
 * Pads the number of a copied row for its id, so that the ids of copies sort by number, before all ids of the service.
 */
const digits = (n: number): string => String(n).padStart(22, '0')
/** If at least this number of subscriptions is copied, indexes are dropped before the copy. */
const many = 10_000

interface Copy {
  readonly subscription: number
  readonly order: number
  readonly event: number
  /** Milliseconds by which the copied order is older than the template's order. */
  readonly earlierMs: number
}

type Piece = string | ((place: Copy) => string)

interface Template {
  readonly table: string
  readonly each: 'subscription' | 'order' | 'event'
  readonly pieces: readonly Piece[]
}

interface Copies {
  readonly storefrontOf: (subscription: number) => string
  readonly first: number
  readonly count: number
}

/**
 * Adds `count` subscriptions, numbered from `first`. Returns the duration in seconds. During the call, the service must
 * not use the tables that the call fills, except `tasks`.
 */
export async function grow(databaseUrl: string, templateId: string, wanted: Copies): Promise<number> {
  const began = performance.now()
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { templates, periodMs } = await templatesOf(client, templateId, wanted.storefrontOf)
  // Events are half of all rows, so one connection copies the events while another connection copies all other rows.
  const [events, others] = [templates.filter(isOfEvents), templates.filter((each) => !isOfEvents(each))]
  await Promise.all([events, others].map((some) => addCopies(databaseUrl, some, { ...wanted, periodMs })))
  await client.query('VACUUM ANALYZE')
  // Without the checkpoint, the next measurement would wait until PostgreSQL has written the new rows to disk.
  await client.query('CHECKPOINT')
  await client.end()
  return (performance.now() - began) / 1000
}

const isOfEvents = ({ each }: Template): boolean => each === 'event'

async function addCopies(
  databaseUrl: string,
  templates: readonly Template[],
  wanted: Copies & { readonly periodMs: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query("SET maintenance_work_mem = '1GB'")
  await client.query('SET session_replication_role = replica')
  for (const template of templates) {
    const rows = Readable.from(copies(template, wanted))
    const copy = () => pipeline(rows, client.query(copyFrom(`COPY ${template.table} FROM STDIN`)))
    // The tasks table keeps its indexes, because the worker polls it during the copy.
    if (template.table === 'tasks' || wanted.count < many) await copy()
    else await withoutIndexes(client, template.table, copy)
  }
  await client.end()
}

/**
 * With `wal_level = minimal`, rows skip the write-ahead log if their transaction has rewritten the table. So `CLUSTER` rewrites the
 * table first.
 */
async function withoutIndexes(client: pg.Client, table: string, fill: () => Promise<unknown>): Promise<void> {
  await client.query('BEGIN')
  await client.query(`CLUSTER ${table} USING ${table}_pkey`)
  const indexes = await indexesOf(client, table)
  for (const { drop } of indexes) await client.query(drop)
  await fill()
  for (const { make } of indexes) await client.query(make)
  await client.query('COMMIT')
}

/** The indexes to create after the copy: non-unique indexes, and exclusion constraints, which are slow to fill. */
async function indexesOf(client: pg.Client, table: string) {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `SELECT CASE WHEN indisexclusion THEN format('ALTER TABLE %s DROP CONSTRAINT %I', indrelid::regclass, relname)
         ELSE format('DROP INDEX %I', relname) END AS drop,
       CASE WHEN indisexclusion
         THEN format('ALTER TABLE %s ADD CONSTRAINT %I %s', indrelid::regclass, relname, pg_get_constraintdef(c.oid))
         ELSE pg_get_indexdef(indexrelid) END AS make
     FROM pg_index JOIN pg_class i ON i.oid = indexrelid LEFT JOIN pg_constraint c ON c.conindid = indexrelid AND c.contype = 'x'
     WHERE NOT indisunique AND indrelid = $1::regclass`,
    [table],
  )
  return rows
}

function* copies(
  { each, pieces }: Template,
  { first, count, periodMs }: { first: number; count: number; periodMs: number },
): Generator<string> {
  const perSubscription = each === 'subscription' ? 1 : ordersOfEach
  const perOrder = each === 'event' ? eventsOfEach : 1
  let text = ''
  for (let subscription = first; subscription < first + count; subscription++) {
    for (let n = 0; n < perSubscription; n++) {
      const order = subscription * ordersOfEach + n
      const earlierMs = each === 'subscription' ? 0 : (ordersOfEach - 1 - n) * periodMs
      for (let m = 0; m < perOrder; m++) {
        const place = { subscription, order, event: order * eventsOfEach + m, earlierMs }
        for (const piece of pieces) text += typeof piece === 'string' ? piece : piece(place)
        text += '\n'
      }
    }
    if (text.length < 1_000_000) continue
    yield text
    text = ''
  }
  yield text
}

/** The rows of the template, split at the values that differ in each copy. */
async function templatesOf(client: pg.Client, templateId: string, storefrontOf: (subscription: number) => string) {
  const one = async (query: string, ...values: unknown[]) => (await client.query(query, values)).rows[0]
  const sub = await one('SELECT * FROM subscriptions WHERE id = $1', templateId)
  const order = await one(
    `SELECT * FROM orders WHERE subscription_id = $1 AND status = 'paid' AND invoice_number IS NOT NULL
     ORDER BY id DESC LIMIT 1`,
    templateId,
  )
  const { email } = await one('SELECT email FROM customers WHERE id = $1', sub.customer_id)
  const period = await one('SELECT id, start_at, end_at FROM subscription_periods WHERE order_id = $1', order.id)
  const event = await one('SELECT id, causation_id FROM events WHERE entity_id = $1 ORDER BY id LIMIT 1', sub.id)
  const task = await one(
    "SELECT id FROM tasks WHERE name = 'subscription.period_end' AND key LIKE $1",
    `${templateId} %`,
  )
  const payment = await one('SELECT id, provider_ref FROM payments WHERE paid_order_id = $1', order.id)
  const mandate = await one('SELECT provider_ref FROM mandates WHERE id = $1', sub.mandate_id)
  const line = await one('SELECT id FROM order_lines WHERE order_id = $1 ORDER BY position LIMIT 1', order.id)

  const prefixed = (id: string, number: (place: Copy) => number): [string, Piece] => {
    const prefix = id.slice(0, id.lastIndexOf('_') + 1)
    return [id, (place) => prefix + digits(number(place))]
  }
  const own = new Map<string, Piece>([
    [sub.storefront_id, ({ subscription }) => storefrontOf(subscription)],
    ...[sub.id, sub.customer_id, sub.mandate_id, mandate.provider_ref, sub.checkout_line_id, task.id].map((id) =>
      prefixed(id, ({ subscription }) => subscription),
    ),
    [email, ({ subscription }) => `copy-${subscription}@shop.example`],
    ...[order.id, line.id, payment.id, payment.provider_ref, period.id].map((id) => prefixed(id, ({ order }) => order)),
    [order.invoice_number, ({ order }) => `TEST-INV-1-${order}`],
    ...[event.id, event.causation_id].map((id) => prefixed(id, ({ event }) => event)),
  ])
  const template = async (table: string, each: Template['each'], id: string): Promise<Template> => ({
    table,
    each,
    pieces: cut(await copyOf(client, `SELECT * FROM ${table} WHERE id = '${id}'`), own),
  })
  return {
    periodMs: period.end_at.getTime() - period.start_at.getTime(),
    templates: [
      await template('customers', 'subscription', sub.customer_id),
      await template('mandates', 'subscription', sub.mandate_id),
      await template('subscriptions', 'subscription', sub.id),
      await template('tasks', 'subscription', task.id),
      await template('orders', 'order', order.id),
      await template('order_lines', 'order', line.id),
      await template('payments', 'order', payment.id),
      await template('subscription_periods', 'order', period.id),
      await template('events', 'event', event.id),
    ],
  }
}

const timestamp = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00/

function cut(row: string, own: ReadonlyMap<string, Piece>): Piece[] {
  const values = [...own.keys()].map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return row.split(new RegExp(`(${[...values, timestamp.source].join('|')})`)).map((text): Piece => {
    const piece = own.get(text)
    if (piece !== undefined || !timestamp.test(text)) return piece ?? text
    const at = new Date(text.replace(' ', 'T').replace('+00', 'Z')).getTime()
    return ({ earlierMs }) => new Date(at - earlierMs).toISOString()
  })
}

async function copyOf(client: pg.Client, query: string): Promise<string> {
  let text = ''
  for await (const chunk of client.query(copyTo(`COPY (${query}) TO STDOUT`))) text += chunk
  if (!/^[^\n]+\n$/.test(text)) throw new Error(`not one row: ${query}`)
  return text.slice(0, -1)
}
