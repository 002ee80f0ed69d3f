import type { Order } from '../../modules/orders/rules/order.ts'
import { type WithdrawalState, withdrawalState } from '../../modules/orders/rules/withdrawal.ts'
import { findOrderAnywhere } from '../../modules/orders/store.ts'
import { openWithdrawalToken } from '../../modules/orders/withdrawals.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { progressOf, type Withdrawable, withdrawableOf } from './withdrawable.ts'

export interface FoundWithdrawal {
  readonly order: Order
  readonly tenant: Tenant
  readonly withdrawable: Withdrawable
  readonly state: WithdrawalState
}

export async function findWithdrawal(token: string): Promise<FoundWithdrawal | null> {
  const id = openWithdrawalToken(token)
  const found = id === null ? null : await findOrderAnywhere(db(), id)
  const withdrawable = found && (await withdrawableOf(found.order, found.tenant))
  if (!found || !withdrawable) return null
  const now = await clockNow(db(), found.tenant)
  const state = withdrawalState(found.order, { ...progressOf(withdrawable), now })
  return state && { ...found, withdrawable, state }
}

export const count = (text: string | null): number | null =>
  text === null ? null : /^\d{1,6}$/.test(text) ? Number(text) : NaN
