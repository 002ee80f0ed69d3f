import pg from 'pg'
import type { Bench } from './context.ts'
import { medianRound, type Round } from './figures.ts'
import type { Load } from './load.ts'

/** This file measures the removal of old events and deliveries, and how much the removal slows down reads. */

export interface Removal {
  readonly events: number
  readonly rowsPerSecond: number
  readonly alone: Round
  readonly beside: Round
}

// No other measurement uses this range of ids.
const firstId = 700_000_000
const atOnce = 100_000
/** The ages of the oldest and the newest event. All events are older than the default of `EVENT_RETENTION_DAYS`, which is 400 days. */
const [oldest, newest] = ["interval '800 days'", "interval '435 days'"]

export async function measureRemoval(
  { installation, loader, say }: Bench,
  reads: Load,
  events: number,
): Promise<Removal> {
  const client = new pg.Client({ connectionString: installation.databaseUrl })
  await client.connect()
  try {
    const setDue = (moment: string) =>
      client.query(`UPDATE tasks SET run_at = ${moment} WHERE name = 'retention.remove_old' AND leased_until IS NULL`)
    const left = async () =>
      (await client.query(`SELECT count(*)::int AS n FROM events WHERE ${isCopy('webhook_event_')}`)).rows[0].n +
      (await client.query(`SELECT count(*)::int AS n FROM deliveries WHERE ${isCopy('delivery_')}`)).rows[0].n
    await setDue("now() + interval '1 day'")
    say(`Adding ${events} events with their deliveries`)
    for (let from = 0; from < events; from += atOnce) await copy(client, from, Math.min(events, from + atOnce), events)
    await client.query('ANALYZE')
    await client.query('CHECKPOINT')
    await loader.ask(reads)
    const [alone, beside]: [Round[], Round[]] = [[], []]
    let rows = await left()
    let [removed, seconds] = [0, 0]
    for (let n = 0; rows > 0; n++) {
      say(`Reading, ${rows} rows left`)
      // The reads without the removal are measured before every third round.
      if (n % 3 === 0) alone.push(await quietly(() => loader.ask(reads)))
      await setDue('now()')
      const began = performance.now()
      beside.push(await loader.ask(reads))
      const now = await left()
      seconds += (performance.now() - began) / 1000
      removed += rows - now
      rows = now
    }
    alone.push(await quietly(() => loader.ask(reads)))
    return { events, rowsPerSecond: removed / seconds, alone: medianRound(alone), beside: medianRound(beside) }

    /** Runs `work` while the removal task is paused. Without the pause, the task would continue within a second. */
    async function quietly<Result>(work: () => Promise<Result>): Promise<Result> {
      const paused = async () => (await setDue("now() + interval '1 day'")).rowCount === 1
      while (!(await paused())) await new Promise((resolve) => setTimeout(resolve, 100))
      return work()
    }
  } finally {
    await client.end()
  }
}

const isCopy = (prefix: string) =>
  `id >= '${prefix}${firstId.toString().padStart(22, '0')}' AND id < '${prefix}0000000000001'`

async function copy(client: pg.Client, from: number, to: number, all: number): Promise<void> {
  const numbers = `SELECT lpad((${firstId} + n)::text, 22, '0') AS suffix,
    date_trunc('second', now() - ${oldest} + (${oldest} - ${newest}) * n / ${all}) AS at FROM generate_series(${from}, ${to - 1}) AS n`
  const template = `SELECT e.*, w.id AS endpoint_id FROM events e JOIN webhook_endpoints w USING (storefront_id, testmode)
    WHERE e.name = 'order.paid' ORDER BY e.id DESC LIMIT 1`
  const { rowCount } = await client.query(`
    INSERT INTO events SELECT (jsonb_populate_record(NULL::events, to_jsonb(e) || jsonb_build_object(
      'id', 'webhook_event_' || suffix, 'entity_id', 'order_' || suffix, 'causation_id', 'webhook_event_' || suffix, 'created_at', at))).*
    FROM (${template}) AS e, (${numbers}) numbers`)
  if (rowCount !== to - from) throw new Error('no storefront has both an event and an endpoint')
  await client.query(`
    INSERT INTO deliveries (id, storefront_id, testmode, event_id, endpoint_id, entity_id, causation_id, status, attempts,
      started_at, first_answered_at, created_at)
    SELECT 'delivery_' || suffix, storefront_id, testmode, 'webhook_event_' || suffix, endpoint_id, 'order_' || suffix,
      'webhook_event_' || suffix, 'delivered', 1, at, at, at
    FROM (${template}) AS e, (${numbers}) numbers`)
}

export const removalTable = ({ events, rowsPerSecond, alone, beside }: Removal): string =>
  [
    `| GET customer, 16 connections | requests/s | p50 ms | p99 ms |`,
    '|---|--:|--:|--:|',
    ...Object.entries({ alone, 'while old rows are deleted': beside }).map(
      ([name, { perSecond, p50, p99 }]) =>
        `| ${name} | ${Math.round(perSecond)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`,
    ),
    '',
    `${events.toLocaleString('en')} events of a year and as many deliveries: ${Math.round(rowsPerSecond).toLocaleString('en')} rows deleted a second.`,
  ].join('\n')
