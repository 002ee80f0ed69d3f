import pg from 'pg'

/**
 * SQL for the renewal time of the n-th copy of a subscription. With `due`, the renewal tasks wait until `runCopies` is
 * called.
 */
export const ends = {
  due: "clock.now - interval '1 minute'",
  notDue: "clock.now + interval '1 month'",
  oneASecond: "clock.now + interval '1 month' + (n - $2::int) * interval '1 second'",
} as const

/** The time on the test clock of the storefront of subscription `$1`. This clock can be ahead of real time. */
const clock = `
  SELECT now() + ahead_seconds * interval '1 second' AS now
  FROM clocks WHERE storefront_id = (SELECT storefront_id FROM subscriptions WHERE id = $1)`

export function copyDue(databaseUrl: string, subscriptionId: string, count: number, hours: number): Promise<void> {
  const ends = `clock.now - interval '${hours} hours'`
  return copySubscriptions(databaseUrl, subscriptionId, { from: 1, to: count, ends })
}

/** Starts the renewal tasks of the copies numbered `from` to `to`, as if these tasks were `hours` hours overdue. */
export async function runCopies(databaseUrl: string, { from, to }: { from: number; to: number }, hours: number) {
  const ids = [from, to].map((n) => `task_${String(n).padStart(22, '0')}`)
  await connected(databaseUrl, (client) =>
    client.query("UPDATE tasks SET run_at = now() - $3 * interval '1 hour' WHERE id BETWEEN $1 AND $2", [
      ...ids,
      hours,
    ]),
  )
}

/** Each copy has its own customer, mandate, billed period, and renewal task. */
export async function copySubscriptions(
  databaseUrl: string,
  subscriptionId: string,
  { from, to, ends }: { from: number; to: number; ends: string },
): Promise<void> {
  const copies = `
    WITH template AS (SELECT * FROM subscriptions WHERE id = $1),
    clock AS (${clock}),
    numbers AS (
      SELECT lpad(n::text, 22, '0') AS suffix, date_trunc('second', ${ends}) AS ends
      FROM clock, generate_series($2::int, $3::int) n
    ),`
  const changed = (table: string, changes: string, source: string) =>
    `INSERT INTO ${table} SELECT row.* FROM ${source},
       LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(t) || jsonb_build_object(${changes})) row`
  const own = `'customer_id', 'customer_' || suffix`
  const statements = [
    `${copies} t AS (SELECT c.* FROM customers c JOIN template ON c.id = template.customer_id)
     ${changed('customers', `'id', 'customer_' || suffix, 'email', 'copy-' || suffix || '@shop.example'`, 't, numbers')}`,
    `${copies} t AS (SELECT m.* FROM mandates m JOIN template ON m.id = template.mandate_id)
     ${changed('mandates', `'id', 'mandate_' || suffix, ${own}, 'provider_ref', provider_ref || suffix`, 't, numbers')}`,
    `${copies} t AS (SELECT * FROM template)
     ${changed(
       'subscriptions',
       `'id', 'subscription_' || suffix, ${own}, 'mandate_id', 'mandate_' || suffix, 'checkout_line_id', 'checkout_item_' || suffix,
       'renewed_until', ends, 'period_end', ends, 'anchor_at', ends - interval '1 month', 'period_start', ends - interval '1 month'`,
       't, numbers',
     )}`,
    `${copies} t AS (SELECT p.* FROM subscription_periods p JOIN template ON p.subscription_id = template.id LIMIT 1)
     ${changed('subscription_periods', `'id', 'period_' || suffix, 'subscription_id', 'subscription_' || suffix, 'start_at', ends - interval '1 month', 'end_at', ends`, 't, numbers')}`,
    `${copies} t AS (SELECT k.* FROM tasks k JOIN template ON k.name = 'subscription.period_end' AND k.key LIKE template.id || '%' LIMIT 1),
     named AS (SELECT suffix, ends, to_char(ends AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS ends_at FROM numbers)
     ${changed(
       'tasks',
       `'id', 'task_' || suffix, 'key', 'subscription_' || suffix || ' ' || ends_at, 'due_at', ends, 'run_at', now() + interval '1 month',
       'data', jsonb_build_object('subscriptionId', 'subscription_' || suffix, 'endsAt', ends_at)`,
       't, named',
     )}`,
  ]
  await connected(databaseUrl, async (client) => {
    // In one transaction, now() is the same for all statements.
    await client.query('BEGIN')
    for (const statement of statements) await client.query(statement, [subscriptionId, from, to])
    await client.query('COMMIT')
    await client.query('ANALYZE')
  })
}

export async function connected<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
