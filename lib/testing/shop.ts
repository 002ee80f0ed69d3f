import { createStorefront, createMerchant } from '../people/operations.ts'
import { db } from '../platform/db.ts'
import type { Route } from '../platform/route.ts'
import { runTask } from '../platform/run-task.ts'
import { jobs } from '../run/tasks.ts'

/** A storefront of a new merchant, as a merchant's program sees it: keys and HTTP calls. */
export interface Shop {
  readonly storefrontId: string
  readonly testKey: string
  readonly liveKey: string
  readonly scope: { readonly storefrontId: string; readonly testmode: true }
}

export async function aShop(name = 'Lumen Software'): Promise<Shop> {
  const { merchantId } = await createMerchant({ name })
  const storefront = await createStorefront({ merchantId, name })
  return { ...storefront, scope: { storefrontId: storefront.storefrontId, testmode: true } }
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  readonly body: any
}

/** Calls a route function as a server would. `path` is below the host; the body is sent as JSON unless it is a string. */
export async function call(
  route: Route,
  method: string,
  path: string,
  { key, params = {}, body, headers = {} }: { key?: string; params?: Record<string, string>; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const response = await route(request, { params: Promise.resolve(params) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** Runs every task that is due now, as the ringer would, until none is. Answers how many ran. */
export async function runDueTasks(limit = 200): Promise<number> {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  for (let ran = 0; ran < limit; ran++) {
    const [task] = await db().$queryRaw<{ taskId: string; generation: number }[]>`
      UPDATE tasks SET generation = generation + 1, attempts = attempts + 1, ring_at = clock_timestamp() + interval '90 seconds',
        leased_until = clock_timestamp() + interval '90 seconds'
      WHERE id = (SELECT id FROM tasks WHERE ring_at <= clock_timestamp() ORDER BY ring_at, id LIMIT 1)
      RETURNING id AS "taskId", generation`
    if (!task) return ran
    await runTask(byName, task)
  }
  throw new Error(`more than ${limit} tasks were due`)
}

/** Names of the events of a storefront, oldest first. */
export async function eventsOf({ storefrontId }: Shop): Promise<string[]> {
  const rows = await db().events.findMany({ where: { storefront_id: storefrontId }, orderBy: { id: 'asc' } })
  return rows.map((row) => row.name)
}
