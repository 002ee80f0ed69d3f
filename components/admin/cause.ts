import { isAdminKey, adminText as t } from './text.ts'

/**
 * Returns the readable cause of a ledger entry, without a final number as in `chargeback.counted.2`. The number
 * distinguishes several allocations of an order to one dispute.
 */
export function causeText(cause: string): string {
  const key = `balance.causes.${cause.split('.').slice(0, 2).join('_')}`
  return isAdminKey(key) ? t(key) : cause
}
