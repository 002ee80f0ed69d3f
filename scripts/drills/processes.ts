import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { copyDue, runCopies } from '../bench/copies.ts'
import { apiOf, sellOne } from '../bench/shop.ts'
import { startLoad } from './load.ts'
import { brokenInvariants, inTestBed, type TestBed } from './test-bed.ts'
import { judge, type Verdict } from './verdict.ts'
import { listen } from './webhooks.ts'

const kills = 50
const duePerKill = 10
const awayHours = 72
const dueWhileAway = 10_000
const hourMs = 3_600_000
const dueBySetBack = 100

export function processKilled(): Promise<Verdict> {
  return inTestBed(async (place) => {
    const { installation, origins } = place
    await withReceiver(place)
    const before = await withCopies(place, kills * duePerKill, 1)
    const processes = [{ ...installation.service, baseUrl: installation.baseUrl }, await place.start()]
    const load = startLoad(place)
    const downtimes: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      const copies = { from: kill * duePerKill + 1, to: (kill + 1) * duePerKill }
      await runCopies(installation.databaseUrl, copies, 1)
      await load.untilService()
      const [killed] = processes.splice(Math.floor(Math.random() * processes.length), 1)
      if (!killed) throw new Error('no process runs')
      await killed.kill()
      origins.splice(origins.indexOf(killed.baseUrl), 1)
      downtimes.push(await load.untilService())
      processes.push(await place.start())
    }
    const written = await load.stop()
    const renewed = await renewedOnce(place, kills * duePerKill)
    const done = `one of two processes killed ${kills} times, ${kills * duePerKill} renewals due`
    return withRenewals(await judge(place, written, done, downtimes, before), renewed)
  })
}

/** Simulates three days without a worker: all renewals are 72 hours overdue when a worker starts. */
export function runnerAway(): Promise<Verdict> {
  return inTestBed(async (place) => {
    const { installation, origins } = place
    await withReceiver(place)
    const before = await withCopies(place, dueWhileAway, awayHours)
    await installation.service.kill()
    origins.splice(0)
    await place.start({ role: 'web' })
    await runCopies(installation.databaseUrl, { from: 1, to: dueWhileAway }, awayHours)
    const load = startLoad(place, 1)
    await load.untilService()
    await place.start({ role: 'worker' })
    const began = performance.now()
    const renewed = await renewedOnce(place, dueWhileAway)
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    const done = `no worker for ${awayHours} hours, then ${dueWhileAway} renewals in ${seconds} s beside calls`
    return withRenewals(await judge(place, await load.stop(), done, [], before), renewed)
  })
}

/** Sets the clock of one machine back by an hour under load, and corrects it later. */
export async function clockBack(): Promise<Verdict> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-drill-'))
  const file = path.join(folder, 'ahead-ms')
  const setClock = (aheadMs: number) => writeFileSync(file, String(aheadMs))
  setClock(0)
  const module = pathToFileURL(path.join(import.meta.dirname, 'shift-clock.mjs'))
  module.searchParams.set('file', file)
  try {
    return await inTestBed((place) => underShiftedClock(place, setClock), ['--import', module.href])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function underShiftedClock(place: TestBed, setClock: (aheadMs: number) => void): Promise<Verdict> {
  const { databaseUrl } = place.installation
  const steps = [0, -hourMs, 0]
  const before = await withCopies(place, steps.length * dueBySetBack, 1)
  await place.start()
  const load = startLoad(place)
  for (const [index, aheadMs] of steps.entries()) {
    // The renewals start before the clock is set, so that the leases of their tasks contain times from before the
    // change.
    await runCopies(databaseUrl, { from: index * dueBySetBack + 1, to: (index + 1) * dueBySetBack }, 1)
    await load.untilService()
    setClock(aheadMs)
    await sleep(10_000)
  }
  const written = await load.stop()
  const renewed = await renewedOnce(place, steps.length * dueBySetBack)
  const done = 'the clock of one of two machines set back by an hour and put right'
  const outcome = withRenewals(await judge(place, written, done, [], before), renewed)
  const [order] = await place.query(`
    SELECT count(*) FILTER (WHERE created_at < earlier)::int AS backwards,
      count(*) FILTER (WHERE id < previous)::int AS unsorted
    FROM (SELECT id, created_at, lag(created_at) OVER made AS earlier, lag(id) OVER made AS previous FROM products
      WHERE name LIKE 'drill-%'
      WINDOW made AS (PARTITION BY split_part(name, '-', 2) ORDER BY split_part(name, '-', 3)::int)) AS made`)
  const wrong = order?.backwards === 0 ? [] : [`${order?.backwards} products were made earlier than those before them`]
  const figures = `${outcome.figures}; ${order?.unsorted} ids do not sort as they were made`
  return { ...outcome, wrong: [...outcome.wrong, ...wrong], figures }
}

/** Replaces the receiver of the demo endpoint, because this drill ends the process that serves the demo receiver. */
async function withReceiver(place: TestBed): Promise<void> {
  const receiver = await listen(0)
  place.keep({ stop: () => receiver.close() })
  await place.query('UPDATE webhook_endpoints SET url = $1', [`http://127.0.0.1:${receiver.port}/hooks`])
}

/**
 * Adds copies of a subscription. The copies have no sale, so they violate invariants. Returns the violated invariants.
 */
async function withCopies(place: TestBed, count: number, hours: number): Promise<Map<string, number>> {
  const { baseUrl, key, databaseUrl } = place.installation
  await copyDue(databaseUrl, await sellOne(baseUrl, apiOf(baseUrl, key)), count, hours)
  return brokenInvariants(place.installation)
}

const patienceMs = 300_000
const copied = "subscription_id LIKE 'subscription_00000%'"

async function renewedOnce({ query }: TestBed, count: number): Promise<string[]> {
  const renewals = `
    SELECT count(*)::int AS renewed, count(DISTINCT subscription_id)::int AS subscriptions
    FROM orders WHERE ${copied} AND status = 'paid'`
  for (const until = Date.now() + patienceMs; ; await sleep(500)) {
    const [row] = await query(renewals)
    if (Number(row?.subscriptions) < count && Date.now() < until) continue
    const isOnce = row?.renewed === count && row.subscriptions === count
    return isOnce ? [] : [`${row?.renewed} renewals of ${row?.subscriptions} subscriptions of ${count}`]
  }
}

const withRenewals = (outcome: Verdict, wrong: readonly string[]): Verdict => ({
  ...outcome,
  wrong: [...wrong, ...outcome.wrong],
  figures: `${wrong.length === 0 ? 'each renewed once; ' : ''}${outcome.figures}`,
})
