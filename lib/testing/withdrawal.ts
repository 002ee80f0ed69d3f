import { listEmails } from '../modules/emails/operations.ts'
import { withdrawalPath } from '../modules/orders/withdrawals.ts'
import { submitWithdrawal } from '../workflows/withdrawal/submit-withdrawal.ts'
import { send } from './api.ts'
import { portalVisitor } from './portal.ts'
import { tokenOf } from './shop.ts'
import { type Scenario, subscriptionScenario } from './subscription-scenario.ts'

export const nobody = portalVisitor(null)
export const consumer = { country: 'DE', taxId: '', email: 'ada@example.com', fullName: 'Ada Lovelace' }
export const filled = (more: object = {}) => new URLSearchParams({ name: 'Ada Lovelace', intent: 'confirm', ...more })

export async function aPurchase(buyer: object = {}, more: object = {}) {
  const scenario = await subscriptionScenario({ at: '2027-01-04T10:00:00Z', buyer: { ...consumer, ...buyer }, ...more })
  const [order] = (await send('GET /v1/orders', { key: scenario.key })).body.data
  return { ...scenario, order, token: tokenOf(withdrawalPath(order.id)) }
}
export type Purchase = Awaited<ReturnType<typeof aPurchase>>

export const declare = (token: string, form = filled(), cookies: string | null = null) =>
  submitWithdrawal(token, form, portalVisitor(cookies))

export async function received({ shop }: Pick<Scenario, 'shop'>, kind: 'withdrawal_received' | 'withdrawal_declared') {
  return (await listEmails(shop.storefrontId)).filter((email) => email.kind === kind)
}

export function about(positions: readonly number[], more: object = {}) {
  const form = filled(more)
  for (const position of positions) form.append('line', String(position))
  return form
}

export function aboutUnits(
  lines: readonly (readonly [position: number, quantity: string, left: number])[],
  more: object = {},
) {
  const form = about(
    lines.map(([position]) => position),
    more,
  )
  for (const [position, quantity, left] of lines) {
    form.append(`quantity.${position}`, quantity)
    form.append(`left.${position}`, String(left))
  }
  return form
}
