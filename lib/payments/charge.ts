import type { Scope } from '../platform/clock.ts'
import type { News } from './hear.ts'
import { sandbox } from './sandbox/provider.ts'
import type { Payment } from './store.ts'

/**
 * Has the provider charge a mandate as it was decided, outside any transaction. Asked again after a crash it answers what became
 * of the first time. Null when there is nothing to ask: the payment is made on a page, or the provider was asked and heard.
 */
export async function chargeAtProvider(
  scope: Scope,
  { id, status, mandateId, amount, method }: Payment,
): Promise<News | null> {
  if (status !== 'created' || mandateId === null) return null
  return sandbox.chargeMandate(scope, { idempotencyKey: id, amount, method, mandateRef: mandateId })
}
