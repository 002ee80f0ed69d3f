import { listEmails } from '../modules/emails/operations.ts'
import { withdrawalPath } from '../modules/orders/withdrawals.ts'
import { submitWithdrawal } from '../workflows/withdrawal/hosted.ts'
import { send } from './api.ts'
import { portalVisitor } from './portal.ts'
import { tokenOf } from './shop.ts'
import { type Scenario, subscriptionScenario } from './subscription-scenario.ts'

export const nobody = portalVisitor(null)
export const consumer = { country: 'DE', taxId: '', email: 'ada@example.com', fullName: 'Ada Lovelace' }
export const filled = (more: object = {}) =>
  new URLSearchParams({ name: 'Ada Lovelace', email: 'ada@example.org', intent: 'confirm', ...more })

/** A consumer's subscription since the 4th of January 2027, a Monday. */
export async function aPurchase(buyer: object = {}, more: object = {}) {
  const scenario = await subscriptionScenario({ at: '2027-01-04T10:00:00Z', buyer: { ...consumer, ...buyer }, ...more })
  const [order] = (await send('GET /v1/orders', { key: scenario.key })).body.data
  return { ...scenario, order, token: tokenOf(withdrawalPath(order.id)) }
}
export type Purchase = Awaited<ReturnType<typeof aPurchase>>

export const declare = (token: string, form = filled(), cookies: string | null = null) =>
  submitWithdrawal(token, form, portalVisitor(cookies))

/** What was received by whom, of a kind. */
export async function received({ shop }: Pick<Scenario, 'shop'>, kind: 'withdrawal_received' | 'withdrawal_declared') {
  return (await listEmails(shop.storefrontId)).filter((email) => email.kind === kind)
}
