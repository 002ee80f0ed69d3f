import { vi } from 'vitest'
import { config } from '../platform/config.ts'
import { db } from '../platform/db/db.ts'
import { registry } from '../providers/registry.ts'
import { runDueTasks } from './shop.ts'
import { liveStripe } from './stand-ins/live-provider.ts'
import { get } from './subscription-scenario.ts'

/** Starts a stand-in for Stripe that receives the payments of both modes, so that a test clock can skip months. */
export async function takePaymentsAtStripe() {
  const provider = await liveStripe()
  Object.assign(config(), { stripe: provider.account, livePayments: 'stripe' })
  const stripe = registry.providers.find(({ name }) => name === 'stripe') ?? null
  vi.spyOn(registry, 'ofNewPayments', 'get').mockReturnValue({ test: stripe, live: stripe })
  return provider
}

export type Stripe = Awaited<ReturnType<typeof takePaymentsAtStripe>>

export async function tryAgain(provider: Stripe, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    provider.resetConnection()
    await db()
      .$executeRaw`UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()) WHERE last_error IS NOT NULL`
    await runDueTasks(1000)
  }
}

export const orderStatuses = async (key: string): Promise<string[]> =>
  (await get(key, '/v1/orders?limit=100')).data.map(({ status }: { status: string }) => status)

export const recoveryStatuses = async (storefrontId: string): Promise<string[]> =>
  (await db().recoveries.findMany({ where: { storefront_id: storefrontId } })).map(({ status }) => status)

export const taskErrors = async (): Promise<string[]> =>
  (await db().tasks.findMany({ where: { last_error: { not: null } } })).map(({ last_error }) => last_error ?? '')
