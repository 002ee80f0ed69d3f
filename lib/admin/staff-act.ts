import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../kernel/refusal.ts'
import { isStorableText } from '../kernel/text.ts'
import { confirmPath } from '../modules/operators/confirm.ts'
import { claimStaffForm, madeByStaffForm } from '../modules/operators/form-keys.ts'
import type { SignedInPerson } from '../modules/operators/manage-sessions.ts'
import type { AdminAction } from '../modules/operators/rules/admin-actions.ts'
import { needsCode, requireStepUp } from '../modules/operators/step-up.ts'
import { db } from '../platform/db/db.ts'
import { fingerprint } from '../platform/http/idempotency.ts'
import { codeIn, isFormKey, refused } from './act.ts'
import type { Next } from './form-state.ts'

/** The first click may take its whole operation after the code of the second click was refused. */
const triesAfterCode = 5
/** What refuses the second click is committed, and the first click only has to record its result. */
const tries = 2
const askAgainMs = 200

/** Before a second click is refused: returns the result of the first click, which may still be in progress. */
export async function madeMeanwhile(
  staff: SignedInPerson,
  formKey: string,
  most = triesAfterCode,
): Promise<string | null> {
  for (let tried = 0; tried < most; tried++) {
    if (tried > 0) await pause(askAgainMs)
    const made = await madeByStaffForm(db(), { personId: staff.actor.id, formKey })
    if (made !== null) return made
  }
  return null
}

/**
 * The URL of the page that asks for a code, if an action with a file as its response needs a code. Null if the action is confirmed.
 * The person returns to the page and presses the button again.
 */
export const toConfirmFile = async (
  { actor }: SignedInPerson,
  action: AdminAction,
  { page, cookies }: Pick<StaffForm, 'page' | 'cookies'>,
): Promise<Next | null> =>
  (await needsCode(action, false, cookies)) ? { redirectTo: confirmPath(actor.id, page) } : null

interface StaffForm {
  /** The path of the page of the form, with or without a query. */
  readonly page: string
  readonly values: URLSearchParams
  readonly cookies: string | null
}

interface StaffAction {
  readonly action: AdminAction
  /** Refuses an invalid form before the code is used. */
  readonly check?: () => unknown
}

/** All forms of a page share a key, and a form that is sent again with other values counts as a different form. */
function contentOf(page: string, values: URLSearchParams): string {
  const content = [...values].filter(([name]) => name !== 'key' && name !== 'code')
  return Buffer.from(fingerprint('POST', page, new TextEncoder().encode(JSON.stringify(content)))).toString('base64url')
}

/**
 * Runs an operation of the staff that belongs to no storefront, after the step-up that the table of actions demands. `operation`
 * writes its own audit entry and returns the target of the form. A second click on the same display of the form has no further
 * effect and leads to the same target. An operation must be safe to repeat, because a killed process may have recorded nothing.
 */
export async function staffAct(
  staff: SignedInPerson,
  { page, values, cookies }: StaffForm,
  { action, check }: StaffAction,
  operation: () => Promise<string>,
): Promise<Next> {
  const formKey = values.get('key')
  const isStorable = [...values.values()].every((value) => isStorableText(value, { multiline: true }))
  if (!isFormKey(formKey) || !isStorable) return refused(staff, { page, values }, new Refusal('illegal_move'))
  const display = { personId: staff.actor.id, formKey: `${formKey} ${contentOf(page, values)}` }
  const before = await madeByStaffForm(db(), display)
  if (before !== null) return { redirectTo: before }
  try {
    await check?.()
    await requireStepUp({ action, testmode: false, code: codeIn(values), cookies })
    const target = await operation()
    await db().$transaction((sql) => claimStaffForm(sql, { ...display, subject: target }))
    return { redirectTo: target }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const usedCode = error.on.code && values.has('code')
    const made = await madeMeanwhile(staff, display.formKey, usedCode ? triesAfterCode : tries)
    return made === null ? refused(staff, { page, values }, error) : { redirectTo: made }
  }
}
