import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import type { PasswordPage } from '../../modules/operators/page.ts'
import { findReset } from '../../modules/operators/password-resets.ts'
import { isUsable } from '../../modules/operators/rules/password-reset.ts'
import { findOperator } from '../../modules/operators/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { secretHash } from '../../platform/http/browser-secret.ts'
import { formStateOf } from '../../platform/http/form-state.ts'
import { passwordPath } from './link.ts'

export const typedAsForgotten = (form: string | null, cookies: string | null): string =>
  formStateOf(passwordPath(), form, cookies).typed.email ?? ''

export async function passwordPage(token: string): Promise<PasswordPage | null> {
  const found = await findResetOf(token)
  if (!found) return null
  const operator = isUsable(found, realNow()) ? await findOperator(db(), { id: found.operatorId }) : null
  return operator ? { state: 'open', email: operator.email } : { state: 'over' }
}

export async function loadPasswordReset(token: string): Promise<Loaded<PasswordPage>> {
  const view = await passwordPage(token)
  return view ? { status: view.state === 'open' ? 200 : 410, view } : unknownLink
}

export async function findResetOf(token: string) {
  const hash = secretHash(token)
  return hash && findReset(db(), hash)
}
