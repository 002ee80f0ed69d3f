import en from '@/messages/admin/en.json'
import { adminText as t } from './text.ts'

type Known = keyof typeof en.balance.causes

const isKnown = (name: string): name is Known => Object.hasOwn(en.balance.causes, name)

/**
 * The cause of a ledger entry in words. A cause such as `chargeback.counted.2` ends with a number, because parts of an
 * order can be allocated to the same dispute at different times.
 */
export function causeText(cause: string): string {
  const name = cause.split('.').slice(0, 2).join('_')
  return isKnown(name) ? t(`balance.causes.${name}`) : cause
}
