import { isAdminKey, adminText as t } from './text.ts'

/**
 * Returns the readable cause of a ledger entry. A cause such as `chargeback.counted.2` ends with a number, because
 * parts of an order can be allocated to the same dispute at different times.
 */
export function causeText(cause: string): string {
  const key = `balance.causes.${cause.split('.').slice(0, 2).join('_')}`
  return isAdminKey(key) ? t(key) : cause
}
