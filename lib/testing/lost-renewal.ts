import { expect } from 'vitest'
import { runTask } from '../platform/jobs/run-task.ts'
import { claimDueTasks } from '../platform/jobs/worker.ts'
import { jobs } from '../server/jobs.ts'
import { reconcileNow } from '../workflows/reconciliation/daily.ts'
import { afterReturn, submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { send } from './api.ts'
import { answer } from './command-line.ts'
import { configure } from './configure.ts'
import { takeSnapshot } from './database-snapshot.ts'
import * as stock from './factories.ts'
import { runDueTasks, tokenOf } from './shop.ts'
import type { LiveProvider } from './stand-ins/live-provider.ts'
import { travelTo } from './time-travel.ts'

/**
 * The functions in this file restore a month-old backup in live mode. They change the real time, because live mode has
 * no test clock.
 */

const byName = new Map(jobs.map((job) => [job.name, job]))

export const backupAt = '2027-02-10T10:00:00Z'
export const renewalAt = '2027-03-10T10:05:00Z'
const visitor = { acceptLanguage: 'en', header: () => null }
const consumer = {
  email: 'joana@mar.example',
  fullName: 'Joana Reis',
  country: 'PT',
  postalCode: '9000-082',
  confirmCountry: 'PT',
}

export function configureLive({ name, account }: LiveProvider): void {
  const { apiKey, base } = account
  const none = { MOLLIE_API_KEY: undefined, MOLLIE_API_BASE: undefined, STRIPE_API_KEY: undefined }
  const prefix = name.toUpperCase()
  configure({ ...none, [`${prefix}_API_KEY`]: apiKey, [`${prefix}_API_BASE`]: base })
}

export interface LiveShop {
  readonly storefrontId: string
  readonly liveKey: string
  readonly planId: string
}

export async function aLiveShop(): Promise<LiveShop> {
  const { merchantId } = await answer('merchant create --name Lumen --json')
  const { storefrontId, liveKey } = await answer(`storefront create --merchant ${merchantId} --name Lumen --json`)
  const { id: planId } = await stock.aPlan(liveKey, { basePrice: stock.price('10.00') })
  await answer(`review start --id ${planId} --json`)
  await answer(`review approve --id ${planId} --json`)
  return { storefrontId, liveKey, planId }
}

/** Sells plans in one checkout, so that their subscriptions share a mandate. */
export async function sell(
  provider: LiveProvider,
  { liveKey, planId }: LiveShop,
  { plans = 1, paymentMethod = 'creditcard' } = {},
): Promise<void> {
  const products = Array.from({ length: plans }, () => ({ id: planId }))
  const checkout = await stock.aCheckout(liveKey, planId, { products })
  const token = tokenOf(checkout.links.checkoutUrl.href)
  await submitCheckout(token, new URLSearchParams({ ...consumer, paymentMethod }), visitor)
  provider.pay(provider.payments().findLast(({ kind }) => kind !== 'on a mandate')?.ref ?? '')
  await afterReturn(token)
  await runDueTasks()
}

export const toRenewal = async () => {
  await travelTo(renewalAt)
  await runDueTasks(1000)
}

/** Runs each due task once. Each due renewal then has a charge that was not sent to the provider yet. */
export async function toChargesBeforeRequest(): Promise<void> {
  await travelTo(renewalAt)
  for (const task of await claimDueTasks('work', 100, 90_000)) await runTask(byName, task)
}

/** Returns a function that restores the current state of the database, as from a backup, and then sets the time to `renewalAt`. */
export async function backup(at = backupAt): Promise<() => Promise<void>> {
  await travelTo(at)
  const restore = await takeSnapshot()
  return async () => {
    // `restore` moves the times of tasks by the time that has passed since the snapshot, so the time is reset first.
    await travelTo(at)
    await restore()
    await travelTo(renewalAt)
  }
}

export { failures } from './live-sales.ts'

export async function ordersOf({ liveKey }: LiveShop): Promise<string[]> {
  const { status, body } = await send('GET /v1/orders?limit=10', { key: liveKey })
  expect(status).toBe(200)
  return body.data.map(({ status }: { status: string }) => status)
}

export const differences = async () =>
  (await reconcileNow({ until: new Date('2100-01-01'), settledUntil: new Date(0), settleMs: 0 })).map(
    ({ kind }) => kind,
  )
