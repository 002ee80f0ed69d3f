import { type RefusalCode, refusals } from '@/lib/kernel/refusal.ts'
import en from '@/messages/admin/en.json'
import { adminText as t } from './text.ts'

type Known = keyof typeof en.refusals

const isKnown = (code: string): code is Known => Object.hasOwn(en.refusals, code)

/** Why an action was refused. If the admin area has no text for the code, returns the English message of the API. */
export const refusalText = (code: RefusalCode): string =>
  isKnown(code) ? t(`refusals.${code}`) : refusals[code].message
