import { expect, it } from 'vitest'
import { runBatch } from '../../platform/jobs/run-task.ts'
import { claimDueTasks } from '../../platform/jobs/worker.ts'
import { jobs } from '../../server/jobs.ts'
import { copySale, jumpClock } from '../../testing/bulk.ts'
import { drainTasks, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { turnsOf } from '../../testing/turns.ts'

/**
 * All other sales of a storefront wait from the posting of orders to the ledger until the commit. These tests allow
 * only two round trips to the database in this time: the statements about the orders, and the COMMIT.
 */

const byName = new Map(jobs.map((job) => [job.name, job]))

async function afterPosting(work: () => Promise<unknown>): Promise<string[][][]> {
  const isPosting = (text: string) => text.includes('INSERT INTO ledger_entries')
  return (await turnsOf(work))
    .filter((turns) => turns.flat().some(isPosting))
    .map((turns) => turns.slice(turns.findIndex((turn) => turn.some(isPosting)) + 1))
    .map((turns) => turns.map((turn) => turn.map(brief)))
}
const brief = (text: string) =>
  /(?:INSERT INTO|UPDATE|DELETE FROM|FROM) "?\w+|COMMIT/.exec(text)?.[0].replace('"', '') ?? text

it('a batch of charges takes two round trips to the database after the posting to the ledger', async () => {
  const scenario = await subscriptionScenario()
  await drainTasks()
  await copySale(scenario, 5)
  await jumpClock(scenario, 32 * 86_400)
  const charged = await afterPosting(async () => {
    for (let n = 0; n < 2; n++) await runBatch(byName, await claimDueTasks('work', 16, 90_000))
  })
  expect(charged).toEqual([
    [
      ['UPDATE orders', 'INSERT INTO events', 'FROM webhook_endpoints', 'INSERT INTO emails'],
      ['DELETE FROM tasks', 'COMMIT'],
    ],
  ])
})

it('a sale takes two round trips to the database after the posting to the ledger', async () => {
  const [sold] = await afterPosting(() => subscriptionScenario())
  expect(sold).toEqual([
    ['UPDATE orders', 'INSERT INTO events', 'FROM webhook_endpoints', 'INSERT INTO emails'],
    ['COMMIT'],
  ])
})
