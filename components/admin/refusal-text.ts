import { type RefusalCode, refusals } from '@/lib/kernel/refusal.ts'
import { isAdminKey, adminText as t } from './text.ts'

/**
 * Returns the reason why an action was refused. If the admin area has no text for the code, returns the English message
 * of the API.
 */
export function refusalText(code: RefusalCode): string {
  const key = `refusals.${code}`
  return isAdminKey(key) ? t(key) : refusals[code].message
}
