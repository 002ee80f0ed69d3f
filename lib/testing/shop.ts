import { createMerchant, createStorefront } from '../modules/accounts/operations.ts'
import * as catalog from '../modules/catalog/operations.ts'
import * as checkouts from '../modules/checkouts/operations.ts'
import { db } from '../platform/db/db.ts'
import type { Route } from '../platform/http/route.ts'
import { claimDispatches, dueStreamsOf } from '../platform/jobs/advance-tasks.ts'
import { runTask } from '../platform/jobs/run-task.ts'
import { claimStreams, dueStreams } from '../platform/jobs/streams.ts'
import type { TaskClaim } from '../platform/jobs/tasks.ts'
import { jobs } from '../server/jobs.ts'

export interface Shop {
  readonly storefrontId: string
  readonly testKey: string
  readonly liveKey: string
  readonly scope: { readonly storefrontId: string; readonly testmode: true }
}

export async function aShop({ name = 'Lumen Software', at }: { name?: string; at?: string } = {}): Promise<Shop> {
  const { merchantId } = await createMerchant({ name })
  const storefront = await createStorefront({ merchantId, name })
  const { storefrontId } = storefront
  if (at !== undefined)
    await db().$executeRaw`
      UPDATE clocks SET ahead_seconds = extract(epoch FROM ${at}::timestamptz)::bigint - floor(extract(epoch FROM clock_timestamp()))::bigint
      WHERE storefront_id = ${storefrontId}`
  return { ...storefront, scope: { storefrontId, testmode: true } }
}

/**
 * Stops the test clock at the time `at`, by default at its current time. The clock stays stopped, because it is marked
 * as advancing to this time, with a lease that never ends.
 */
export const stopClock = ({ storefrontId }: Pick<Shop, 'storefrontId'>, at: Date | null = null) => db().$executeRaw`
  UPDATE clocks SET frozen_at = moment, advancing_to = moment, runner_id = 'nobody', advance_leased_until = 'infinity',
    ahead_seconds = extract(epoch FROM moment)::bigint - floor(extract(epoch FROM clock_timestamp()))::bigint
  FROM (
    SELECT coalesce(${at}::timestamptz, date_trunc('second', clock_timestamp()) + ahead_seconds * interval '1 second') AS moment
    FROM clocks WHERE storefront_id = ${storefrontId}) AS shop_time
  WHERE storefront_id = ${storefrontId}`

// biome-ignore lint/suspicious/noExplicitAny: a test reads responses of every shape
export type Answer = any

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Answer
}

export async function call(
  route: Route,
  method: string,
  path: string,
  {
    key,
    params = {},
    body,
    headers = {},
  }: { key?: string; params?: Record<string, string>; body?: unknown; headers?: Record<string, string> } = {},
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

/**
 * Runs due tasks, including webhook deliveries, until no task is due. Returns the number of tasks. Throws if more than
 * `limit` tasks are due.
 */
export async function runDueTasks(limit = 200): Promise<number> {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  for (let ran = 0; ran < limit; ran++) {
    const task = (await claimNext()) ?? (await claimDueStream())
    if (!task) return ran
    await runTask(byName, task)
  }
  throw new Error(`more than ${limit} tasks were due`)
}

async function claimNext(): Promise<TaskClaim | undefined> {
  const [task] = await db().$queryRaw<TaskClaim[]>`
    UPDATE tasks SET claim_version = claim_version + 1, attempts = attempts + 1, run_at = clock_timestamp() + interval '90 seconds',
      leased_until = clock_timestamp() + interval '90 seconds'
    WHERE id = (SELECT id FROM tasks WHERE run_at <= clock_timestamp() + interval '1 millisecond'
      AND stream IS NULL
      ORDER BY run_at, id LIMIT 1)
    RETURNING id AS "taskId", claim_version AS "claimVersion"`
  return task
}

async function claimDueStream(): Promise<TaskClaim | undefined> {
  const [first] = (await dueStreams()).filter(({ isTaken }) => !isTaken)
  return first ? (await claimStreams([first], 90_000))[0] : claimStoppedStream()
}

/**
 * Claims a due task that delivers webhooks, in a storefront whose clock is stopped, as an advance of the clock does.
 */
async function claimStoppedStream(): Promise<TaskClaim | undefined> {
  const stopped = await db().clocks.findMany({ where: { advancing_to: { not: null }, runner_id: 'nobody' } })
  for (const { storefront_id: storefrontId, frozen_at: at } of stopped) {
    const [stream] = await dueStreamsOf({ storefrontId, leftOut: [], withBeside: true })
    const [task] = stream === undefined ? [] : await claimDispatches(storefrontId, 'nobody', [stream])
    if (task && at) return { ...task, moment: { at, clock: 'apart' } }
  }
  return undefined
}

export async function eventsOf({ storefrontId }: Shop): Promise<string[]> {
  const rows = await db().events.findMany({ where: { storefront_id: storefrontId }, orderBy: { id: 'asc' } })
  return rows.map((row) => row.name)
}

export async function aCatalogue(shop: Shop): Promise<{ planId: string; productId: string }> {
  const tenant = { storefrontId: shop.storefrontId, testmode: true }
  const priced = (cents: bigint) => ({
    description: 'For tests',
    basePrice: { minor: cents, currency: 'EUR' as const },
    taxBehavior: 'exclusive' as const,
  })
  const plan = await catalog.create(tenant, 'subscription_plan', {
    name: 'Pro',
    ...priced(1000n),
    productType: 'saas',
    interval: 'month',
    intervalCount: 1,
  })
  const product = await catalog.create(tenant, 'one_off_product', {
    name: 'Setup',
    ...priced(10_000n),
    productType: 'saas',
  })
  return { planId: plan.id, productId: product.id }
}

export async function aCheckout(
  shop: Shop,
  items: { id: string; quantity?: number; trialDays?: number }[],
): Promise<{ id: string; token: string }> {
  const checkout = await checkouts.create(
    { storefrontId: shop.storefrontId, testmode: true },
    {
      products: items.map((item) => ({ quantity: 1, ...item })),
      redirectUrlSuccess: 'https://shop.example/ok?c={CHECKOUT_ID}',
      redirectUrlCanceled: 'https://shop.example/no',
    },
  )
  return { id: checkout.id, token: tokenOf(checkout.links.checkoutUrl.href) }
}

export const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

export const germanVisitor = { acceptLanguage: 'de', header: () => null }

export const buyerForm = (differences: Record<string, string> = {}): URLSearchParams =>
  new URLSearchParams({
    email: 'ada@example.com',
    fullName: 'Ada Lovelace',
    country: 'DE',
    paymentMethod: 'creditcard',
    ...differences,
  })
