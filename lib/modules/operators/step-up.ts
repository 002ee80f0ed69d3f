import { invalid } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import { everywhere, realNow } from '../../platform/clock/clock.ts'
import { transact } from '../events/transact.ts'
import { beginAttempt, stepUpAttempt, succeeded } from './attempts.ts'
import { afterCode } from './check-code.ts'
import { recordLock } from './log-in.ts'
import { type AdminAction, stepUpOf } from './rules/admin-actions.ts'
import { isFresh } from './rules/session.ts'
import { findSignedIn } from './signed-in.ts'
import * as store from './store.ts'

export const wrongCode = ruleProblem('wrong_code')

interface Confirmed {
  readonly action: AdminAction
  readonly testmode: boolean
  readonly code: string
  readonly cookies: string | null
}

/** Whether the form of an action must have a field for a code. */
export async function needsCode(action: AdminAction, testmode: boolean, cookies: string | null): Promise<boolean> {
  const stepUp = stepUpOf(action, testmode)
  if (stepUp !== 'recent') return stepUp === 'code'
  const found = await findSignedIn(cookies)
  return !found || !isFresh(found.session, realNow())
}

/** Throws `validation_failed` on `code` unless the action is confirmed as `adminActions` requires. */
export async function requireStepUp({ action, testmode, code, cookies }: Confirmed): Promise<void> {
  if (!(await needsCode(action, testmode, cookies))) return
  if (!(await confirmsCode(code, cookies))) throw invalid('code', wrongCode)
}

/** Wrong codes count only for this session, so that failed log-ins of other people cannot block the person. */
export async function confirmsCode(code: string, cookies: string | null): Promise<boolean> {
  const found = await findSignedIn(cookies)
  const begun = found?.state === 'open' ? await beginAttempt(stepUpAttempt(found.operator.id, found.session.id)) : null
  if (!found || !begun) return false
  const isRight = await transact(everywhere, async (tx) => {
    const { sql } = tx
    const operator = await store.lockOperator(sql, found.operator.id)
    const next = operator && (await afterCode(tx, { operator, code, session: found.session }, realNow()))
    if (!next) return false
    await succeeded(sql, begun)
    await store.saveOperator(sql, next.operator)
    await store.confirmSession(sql, found.session.id, realNow())
    return true
  })
  if (!isRight) await recordLock(found.operator, begun, found.session)
  return isRight
}
