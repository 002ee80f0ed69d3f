import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../kernel/refusal.ts'
import { isStorableText } from '../kernel/text.ts'
import { confirmPath } from '../modules/operators/confirm.ts'
import { claimStaffForm, madeByStaffForm } from '../modules/operators/form-keys.ts'
import type { SignedInPerson } from '../modules/operators/manage-sessions.ts'
import type { AdminAction } from '../modules/operators/rules/admin-actions.ts'
import { needsCode, requireStepUp } from '../modules/operators/step-up.ts'
import { searchHashes } from '../platform/crypto/sealed.ts'
import { db } from '../platform/db/db.ts'
import { codeIn, isFormKey, refused } from './act.ts'
import type { Next } from './form-state.ts'

/**
 * How often the service looks for the result of the first click if the code of the second click is refused. The first
 * click may have used the code and may still be running.
 */
const triesAfterCode = 5
/**
 * How often the service looks for the result of the first click if the second click is refused for another reason. If
 * the first click caused the refusal, its result is stored soon.
 */
const tries = 2
const askAgainMs = 200

/**
 * Waits for the result of the first click on a form, before a second click is refused. Returns null if `most` lookups
 * find no result.
 */
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
 * For an action that responds with a file, returns a redirect to the page that asks for a second-factor code. From there, the person returns to `page` and
 * presses the button again. Returns null if the person has entered a code recently.
 */
export const toConfirmFile = async (
  { actor }: SignedInPerson,
  action: AdminAction,
  { page, cookies }: Pick<StaffForm, 'page' | 'cookies'>,
): Promise<Next | null> =>
  (await needsCode(action, false, cookies)) ? { redirectTo: confirmPath(actor.id, page) } : null

interface StaffForm {
  readonly page: string
  readonly values: URLSearchParams
  readonly cookies: string | null
}

interface StaffAction {
  readonly action: AdminAction
  /** Checks the form before the second-factor code is used up. Throws for an invalid form. */
  readonly check?: () => unknown
}

/**
 * Returns a keyed hash of the values of a form. All forms of a page share a form key, and the hash distinguishes forms with different values. The hash is
 * keyed, because an attacker could guess an entered email address from an unkeyed hash.
 */
function contentOf(page: string, values: URLSearchParams): string {
  const content = [...values].filter(([name]) => name !== 'key' && name !== 'code')
  const [hash] = searchHashes(JSON.stringify(['staff form', page, ...content]))
  return Buffer.from(hash).toString('base64url')
}

/**
 * Runs an operation of staff that does not belong to a storefront. Requires the second factor that `adminActions` demands. `operation` writes its audit entry
 * and returns the URL of the next page. A second click on the form has no effect and leads to the same URL. `operation` must be safe to repeat, because a
 * process can crash before it records the result.
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
