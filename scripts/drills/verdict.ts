import { setTimeout as sleep } from 'node:timers/promises'
import { apiOf } from '../bench/shop.ts'
import type { Written } from './load.ts'
import { brokenInvariants, type TestBed } from './test-bed.ts'

export interface Verdict {
  readonly done: string
  readonly wrong: readonly string[]
  readonly figures: string
}

const patienceMs = 300_000

/**
 * Checks that each accepted write exists once, no task is left, the invariants hold, and the service is ready. `before`
 * contains violations from before the fault. `downtimes` are seconds from each fault's end to the first accepted write.
 */
export async function judge(
  place: TestBed,
  written: Written,
  done: string,
  downtimes: readonly number[],
  before: ReadonlyMap<string, number> = new Map(),
): Promise<Verdict> {
  const wrong = [...(await tasksLeft(place))]
  const lost = await lostOf(place, written.paths)
  const doubled = await doubledOf(place, written)
  if (lost.length > 0) wrong.push(`lost: ${lost.slice(0, 5).join(', ')}`)
  wrong.push(...doubled)
  // Only status 500 is an error here. A permanent refusal of a write ends the load, and other statuses, such as 503, are expected during a fault.
  const errors = [...written.statuses].filter(([status]) => /^500$|with 500$/.test(status))
  wrong.push(...errors.map(([status, count]) => `${count} answers were ${status}`))
  wrong.push(...(await brokenSince(place, before)))
  wrong.push(...(await unready(place, before.size > 0 ? 'degraded' : 'ok')))
  const statuses = [...written.statuses].sort().map(([status, count]) => `${status} × ${count}`)
  const figures = [
    `${written.paths.length} writes accepted, ${written.paid.length} sales paid, ${written.repeated} repeated`,
    `${lost.length} lost, ${doubled.length} doubled`,
    ...(downtimes.length > 0 ? [`at most ${Math.max(...downtimes).toFixed(1)} s without service after the fault`] : []),
    `longest wait for an answer ${written.longestWait.toFixed(1)} s`,
    `answers: ${statuses.join(', ')}`,
  ]
  return { done, wrong, figures: figures.join('; ') }
}

async function brokenSince(place: TestBed, before: ReadonlyMap<string, number>): Promise<string[]> {
  const broken = await brokenInvariants(place.installation)
  const more = [...broken].filter(([name, count]) => count > (before.get(name) ?? 0))
  return more.map(([name, count]) => `${count} × not ${name}`)
}

/**
 * Waits until no task is due in the next 90 seconds, because a refund can be canceled for a minute before it starts.
 * Returns a sentence for each task name that remains.
 */
async function tasksLeft({ query }: TestBed): Promise<string[]> {
  const due = `
    SELECT name, count(*)::int AS count, max(last_error) AS error
    FROM tasks WHERE run_at <= now() + interval '90 seconds' GROUP BY name`
  for (const until = Date.now() + patienceMs; ; await sleep(500)) {
    const left = await query(due)
    if (left.length === 0) return []
    if (Date.now() > until) return left.map(({ name, count, error }) => `${count} tasks ${name} are left: ${error}`)
  }
}

async function lostOf(place: TestBed, paths: readonly string[]): Promise<string[]> {
  const { key } = place.installation
  const [origin = ''] = place.origins
  const { request } = apiOf(origin, key)
  const lost: string[] = []
  const left = [...paths]
  const reader = async () => {
    for (let path = left.pop(); path; path = left.pop()) {
      const answer = await fetch(origin + path, request('GET', path))
      await answer.arrayBuffer()
      if (answer.status !== 200) lost.push(`${path} (${answer.status})`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, reader))
  return lost
}

async function doubledOf({ query }: TestBed, { names, paid, refunded }: Written): Promise<string[]> {
  const notOnce = async (what: string, text: string, expected: readonly string[]) => {
    const rows = await query(text)
    const found = new Map(rows.map(({ of, count }) => [String(of), Number(count)]))
    const wrong = [...new Set([...expected, ...found.keys()])].filter((each) => found.get(each) !== 1)
    return wrong.length > 0 ? [`${wrong.length} ${what} not there once: ${wrong.slice(0, 5).join(', ')}`] : []
  }
  const orders = `
    SELECT checkout_id AS of, count(*) FROM orders
    WHERE checkout_id = ANY('{${paid.join(',')}}') AND status = 'paid' GROUP BY 1`
  const refunds = `
    SELECT order_id AS of, count(*) FROM refunds WHERE order_id = ANY('{${refunded.join(',')}}') GROUP BY 1`
  return [
    ...(await notOnce(
      'products',
      "SELECT name AS of, count(*) FROM products WHERE name LIKE 'drill-%' GROUP BY 1",
      names,
    )),
    ...(await notOnce('orders', orders, paid)),
    ...(await notOnce('refunds', refunds, refunded)),
  ]
}

/** A service with violated invariants is expected to be `degraded`. Returns a sentence if the service has another state. */
async function unready({ origins }: TestBed, expected: 'ok' | 'degraded'): Promise<string[]> {
  for (const until = Date.now() + patienceMs; ; await sleep(200)) {
    const answer = await fetch(`${origins[0]}/readyz`)
    const text = await answer.text()
    if (answer.status === 200 && JSON.parse(text).status === expected) return []
    if (Date.now() > until) return [`/readyz answers ${answer.status}: ${text}`]
  }
}
