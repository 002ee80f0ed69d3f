import { db } from '../platform/db/db.ts'
import { takePaymentsAt } from './live-sales.ts'
import { liveStripe } from './stand-ins/live-provider.ts'

/**
 * Starts a simulated Stripe server that receives the payments of both modes. Tests can then sell in test mode, whose
 * clock can skip months.
 */
export async function takePaymentsAtStripe() {
  const provider = await liveStripe()
  takePaymentsAt(provider)
  return provider
}

export type Stripe = Awaited<ReturnType<typeof takePaymentsAtStripe>>

export const recoveryStatuses = async (storefrontId: string): Promise<string[]> =>
  (await db().recoveries.findMany({ where: { storefront_id: storefrontId } })).map(({ status }) => status)

export const taskErrors = async (): Promise<string[]> =>
  (await db().tasks.findMany({ where: { last_error: { not: null } } })).map(({ last_error }) => last_error ?? '')
