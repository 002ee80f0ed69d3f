import pg from 'pg'

/** Measures how fast thousands of subscriptions are renewed. They are copies of one that a buyer paid for. */

export interface Renewals {
  /** With no other subscriptions in the database, and next to the others. */
  readonly perSecond: number
  readonly perSecondBeside: number
  /** Rows committed one by one over as many connections, measured right after: the limit of the disk and the driver. */
  readonly commitsPerSecond: number
}

/** Measures how fast `due` subscriptions are renewed and charged, alone and next to `others` that are not due. */
export async function measureRenewals(
  databaseUrl: string,
  subscriptionId: string,
  { due, others, pool, seconds }: { due: number; others: number; pool: number; seconds: number },
): Promise<Renewals> {
  const round = (from: number) => renewCopies(databaseUrl, subscriptionId, from, due)
  await round(1) // warms up
  const perSecond = await round(1 + due)
  const commitsPerSecond = await commits(databaseUrl, pool, seconds)
  const first = 1 + 3 * due
  await copySubscriptions(databaseUrl, subscriptionId, { from: first, to: first + others - 1, ends: ends.notDue })
  return { perSecond, perSecondBeside: await round(1 + 2 * due), commitsPerSecond }
}

/** Measures how fast `due` copies, with numbers from `from` on, are renewed beside whatever there is. A fifth of them warms up. */
export async function measureDue(
  databaseUrl: string,
  subscriptionId: string,
  { from, due, pool, seconds }: { from: number; due: number; pool: number; seconds: number },
): Promise<Omit<Renewals, 'perSecondBeside'>> {
  const warmUp = Math.ceil(due / 5)
  await renewCopies(databaseUrl, subscriptionId, from, warmUp)
  const perSecond = await renewCopies(databaseUrl, subscriptionId, from + warmUp, due)
  return { perSecond, commitsPerSecond: await commits(databaseUrl, pool, seconds) }
}

export interface ClockMove {
  readonly subscriptions: number
  /** From the call to the end of the advance by a year. */
  readonly seconds: number
  readonly renewals: number
  /** Measured right after. */
  readonly commitsPerSecond: number
}

/**
 * Measures how long a storefront's clock takes to advance by a year with subscriptions that were sold one per second,
 * each renewed every month. `advance` advances it by P1Y.
 */
export async function measureClock(
  databaseUrl: string,
  subscriptionId: string,
  advance: () => Promise<unknown>,
  { subscriptions, pool, seconds }: { subscriptions: number; pool: number; seconds: number },
): Promise<ClockMove> {
  // A range of ids that `measureRenewals` does not use.
  const from = 100_000_000
  await copySubscriptions(databaseUrl, subscriptionId, { from, to: from + subscriptions - 2, ends: ends.oneASecond })
  const measured = await connected(databaseUrl, async (client) => {
    const one = async (query: string) => Number((await client.query(query, [subscriptionId])).rows[0].count)
    const mine = 'storefront_id = (SELECT storefront_id FROM subscriptions WHERE id = $1)'
    const before = await one(`SELECT count(*) FROM orders WHERE ${mine}`)
    const began = performance.now()
    await advance()
    const elapsed = () => (performance.now() - began) / 1000
    while ((await one(`SELECT count(*) FROM clocks WHERE ${mine} AND advancing_to IS NOT NULL`)) > 0) {
      if (elapsed() > clockPatienceSeconds) throw new Error('the clock did not arrive')
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
    const took = elapsed()
    const unpaid = await one(`SELECT count(*) FROM orders WHERE ${mine} AND status <> 'paid'`)
    if (unpaid > 0) throw new Error(`${unpaid} orders are not paid`)
    return { seconds: took, renewals: (await one(`SELECT count(*) FROM orders WHERE ${mine}`)) - before }
  })
  return { subscriptions, ...measured, commitsPerSecond: await commits(databaseUrl, pool, seconds) }
}

/** Commits one row per transaction, repeatedly, over `pool` connections. */
async function commits(databaseUrl: string, pool: number, seconds: number): Promise<number> {
  return connected(databaseUrl, async (client) => {
    await client.query('CREATE TABLE bench_commits (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())')
    const until = performance.now() + seconds * 1000
    const worker = () =>
      connected(databaseUrl, async (own) => {
        let count = 0
        for (; performance.now() < until; count++) await own.query('INSERT INTO bench_commits DEFAULT VALUES')
        return count
      })
    const counts = await Promise.all(Array.from({ length: pool }, worker))
    await client.query('DROP TABLE bench_commits')
    return counts.reduce((all, count) => all + count, 0) / seconds
  })
}

/** When the n-th copy, starting at $2, is to be renewed, by its storefront's clock. Due copies wait until `renew` runs them. */
const ends = {
  due: "clock.now - interval '1 minute'",
  notDue: "clock.now + interval '1 month'",
  oneASecond: "clock.now + interval '1 month' + (n - $2::int) * interval '1 second'",
} as const

/** The clock of the storefront that has the subscription $1: a demo's is ahead. */
const clock = `
  SELECT now() + ahead_seconds * interval '1 second' AS now
  FROM clocks WHERE storefront_id = (SELECT storefront_id FROM subscriptions WHERE id = $1)`

/** Makes copies 1 to `count` of a subscription that were to be renewed `hours` ago. They wait until `runCopies`. */
export function copyDue(databaseUrl: string, subscriptionId: string, count: number, hours: number): Promise<void> {
  const ends = `clock.now - interval '${hours} hours'`
  return copySubscriptions(databaseUrl, subscriptionId, { from: 1, to: count, ends })
}

/** Lets the renewals of some of the copies run, as if they waited for `hours`. */
export async function runCopies(databaseUrl: string, { from, to }: { from: number; to: number }, hours: number) {
  const ids = [from, to].map((n) => `task_${String(n).padStart(22, '0')}`)
  await connected(databaseUrl, (client) =>
    client.query("UPDATE tasks SET run_at = now() - $3 * interval '1 hour' WHERE id BETWEEN $1 AND $2", [
      ...ids,
      hours,
    ]),
  )
}

/** Copies a subscription, each copy with a customer, a mandate, a billed period and its renewal task. */
async function copySubscriptions(
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
    `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(t) || jsonb_build_object(${changes}))).* FROM ${source}`
  const own = `'customer_id', 'customer_' || suffix`
  const statements = [
    `${copies} t AS (SELECT c.* FROM customers c JOIN template ON c.id = template.customer_id)
     ${changed('customers', `'id', 'customer_' || suffix, 'email', 'copy-' || suffix || '@shop.example'`, 't, numbers')}`,
    `${copies} t AS (SELECT m.* FROM mandates m JOIN template ON m.id = template.mandate_id)
     ${changed('mandates', `'id', 'mandate_' || suffix, ${own}`, 't, numbers')}`,
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
    // In one transaction, so that now() is the same moment in all statements.
    await client.query('BEGIN')
    for (const statement of statements) await client.query(statement, [subscriptionId, from, to])
    await client.query('COMMIT')
    await client.query('ANALYZE')
  })
}

/** Makes `count` due copies, lets their renewals run until all are paid, and returns the number per second. */
async function renewCopies(databaseUrl: string, subscriptionId: string, from: number, count: number): Promise<number> {
  const copies = { from, to: from + count - 1 }
  await copySubscriptions(databaseUrl, subscriptionId, { ...copies, ends: ends.due })
  return connected(databaseUrl, async (client) => {
    const paid = async () => Number((await client.query(countPaid, [subscriptionId])).rows[0].count)
    const before = await paid()
    await runCopies(databaseUrl, copies, 0)
    const began = performance.now()
    const elapsed = () => (performance.now() - began) / 1000
    while ((await paid()) < before + count) {
      if (elapsed() > patienceSeconds) throw new Error(`${count} renewals were not paid in ${patienceSeconds} s`)
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
    return count / elapsed()
  })
}

const lookEveryMs = 250
const patienceSeconds = 120
const clockPatienceSeconds = 600
const countPaid = `
  SELECT sum(last) AS count FROM invoice_series
  WHERE name LIKE 'TEST-INV-%' AND scope = (SELECT storefront_id FROM subscriptions WHERE id = $1)`

async function connected<Result>(databaseUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
