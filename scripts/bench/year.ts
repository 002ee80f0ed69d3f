import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from './context.ts'
import { connected, copySubscriptions, ends } from './copies.ts'
import type { Installation } from './installation.ts'
import { type Api, apiOf, sellOne } from './shop.ts'

export interface ClockMove {
  readonly subscriptions: number
  readonly seconds: number
  readonly renewals: number
}

/**
 * Advances a test clock by a year. The subscriptions were sold one per second, renew every month, and are numbered from
 * `first`. The new storefront has no other renewals.
 */
export async function measureYear(
  { installation }: Bench,
  { subscriptions, first }: { subscriptions: number; first: number },
): Promise<ClockMove> {
  const { databaseUrl } = installation
  const { api, id } = await monthly(installation, { subscriptions, first })
  const measured = await connected(databaseUrl, async (client) => {
    const one = async (query: string) => Number((await client.query(query, [id])).rows[0].count)
    const mine = 'storefront_id = (SELECT storefront_id FROM subscriptions WHERE id = $1)'
    const before = await one(`SELECT count(*) FROM orders WHERE ${mine}`)
    const began = performance.now()
    await api.call(200, 'POST', '/v1/test-helpers/clock/advance', { by: 'P1Y' })
    const elapsed = () => (performance.now() - began) / 1000
    while ((await one(`SELECT count(*) FROM clocks WHERE ${mine} AND advancing_to IS NOT NULL`)) > 0) {
      if (elapsed() > patienceSeconds) throw new Error('the clock did not reach its target')
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
    const took = elapsed()
    const unpaid = await one(`SELECT count(*) FROM orders WHERE ${mine} AND status <> 'paid'`)
    if (unpaid > 0) throw new Error(`${unpaid} orders are not paid`)
    const renewals = (await one(`SELECT count(*) FROM orders WHERE ${mine}`)) - before
    // Later renewals of this storefront would disturb the next measurement, so its tasks are deleted.
    await client.query(`DELETE FROM tasks WHERE ${mine}`, [id])
    return { seconds: took, renewals }
  })
  return { subscriptions, ...measured }
}

/**
 * Sells one subscription in a new storefront, and copies it. The copies look as if they were sold one per second, and are numbered
 * from `first`. `id` is the id of the subscription that was sold.
 */
export async function monthly(
  installation: Pick<Installation, 'baseUrl' | 'databaseUrl' | 'data'>,
  { subscriptions, first }: { subscriptions: number; first: number },
): Promise<{ readonly api: Api; readonly id: string }> {
  const { testKey } = await newStorefront(installation, 'A year')
  const api = apiOf(installation.baseUrl, testKey)
  const id = await sellOne(installation.baseUrl, api)
  const copies = { from: first, to: first + subscriptions - 2, ends: ends.oneASecond }
  await copySubscriptions(installation.databaseUrl, id, copies)
  return { api, id }
}

export async function newStorefront(
  { databaseUrl, data }: Pick<Installation, 'databaseUrl' | 'data'>,
  name: string,
): Promise<{ readonly storefrontId: string; readonly testKey: string }> {
  const [merchant] = await connected(databaseUrl, async (client) => (await client.query(oneMerchant)).rows)
  const cli = path.resolve(import.meta.dirname, '../cli.mjs')
  const command = ['storefront', 'create', '--merchant', merchant.id, '--name', name, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...command], {
    // The command needs the secret key of the service to decrypt the database.
    env: { ...process.env, DATABASE_URL: databaseUrl, BILLHOOK_DATA: data },
  })
  return JSON.parse(stdout)
}

const oneMerchant = 'SELECT id FROM merchants ORDER BY id LIMIT 1'
const lookEveryMs = 250
const patienceSeconds = 600
