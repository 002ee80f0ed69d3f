import type { Bench } from './context.ts'
import { connected, copySubscriptions, ends, runCopies } from './copies.ts'

/** Measures how fast thousands of subscriptions are renewed. They are copies of one that a buyer paid for. */

/** Makes copies of the newest subscription of the storefront, numbered from `first`, which are not due. */
export async function addNotDue(bench: Bench, { first, count }: { first: number; count: number }): Promise<void> {
  const copies = { from: first, to: first + count - 1, ends: ends.notDue }
  await copySubscriptions(bench.installation.databaseUrl, await newest(bench), copies)
}

/** Makes `due` copies, numbered from `first`, lets their renewals run until all are paid, and returns the number per second. */
export async function renewalsPerSecond(bench: Bench, { first, due }: { first: number; due: number }): Promise<number> {
  const { databaseUrl } = bench.installation
  const subscriptionId = await newest(bench)
  const copies = { from: first, to: first + due - 1 }
  await copySubscriptions(databaseUrl, subscriptionId, { ...copies, ends: ends.due })
  return connected(databaseUrl, async (client) => {
    const paid = async () => Number((await client.query(countPaid, [subscriptionId])).rows[0].count)
    const before = await paid()
    await runCopies(databaseUrl, copies, 0)
    const began = performance.now()
    const elapsed = () => (performance.now() - began) / 1000
    while ((await paid()) < before + due) {
      if (elapsed() > patienceSeconds) throw new Error(`${due} renewals were not paid in ${patienceSeconds} s`)
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
    return due / elapsed()
  })
}

/** Paid by card, as all that `stock` sells: a direct debit takes days. */
async function newest({ api }: Bench): Promise<string> {
  const { data } = await api.call(200, 'GET', '/v1/subscriptions')
  return data[0].id
}

const lookEveryMs = 250
const patienceSeconds = 120
const countPaid = `
  SELECT sum(last) AS count FROM invoice_series
  WHERE name LIKE 'TEST-INV-%' AND scope = (SELECT storefront_id FROM subscriptions WHERE id = $1)`
