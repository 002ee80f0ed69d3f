import type { Bench } from './context.ts'
import { connected, copySubscriptions, ends, runCopies } from './copies.ts'

/** This file measures the renewal rate of thousands of copies of a paid subscription. */

export async function addNotDue(bench: Bench, { first, count }: { first: number; count: number }): Promise<void> {
  const copies = { from: first, to: first + count - 1, ends: ends.notDue }
  await copySubscriptions(bench.installation.databaseUrl, await newest(bench), copies)
}

/**
 * Copies the newest subscription `due` times. The ids of the copies end with consecutive numbers that begin with `first`. The renewals of the copies are due
 * immediately. Waits until all these renewals are paid, and returns the number of paid renewals per second.
 */
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

/** Returns the id of the newest subscription. Its renewals are paid by card, because the bench cannot wait days for direct debits. */
async function newest({ api }: Bench): Promise<string> {
  const { data } = await api.call(200, 'GET', '/v1/subscriptions')
  return data[0].id
}

const lookEveryMs = 250
const patienceSeconds = 120
const countPaid = `
  SELECT sum(last) AS count FROM invoice_series
  WHERE name LIKE 'TEST-INV-%' AND scope = (SELECT storefront_id FROM subscriptions WHERE id = $1)`
