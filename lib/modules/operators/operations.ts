import { canonicalEmail } from '../../kernel/email.ts'
import { invalid } from '../../kernel/refusal.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { commandLine } from '../audit/command-line.ts'
import type { Actor } from '../audit/rules/entry.ts'
import { writeAudit } from '../audit/write.ts'
import { hashPassword } from './password.ts'
import * as store from './store.ts'

/**
 * Creates a member of the service's own staff. The password has 12 to 200 characters and is stored as an argon2id hash.
 */
export async function createOperator({
  email,
  password,
}: {
  email: string
  password: string
}): Promise<{ operatorId: string }> {
  const canonical = canonicalEmail(email)
  if (canonical === null) throw invalid('email', 'Must be an e-mail address.')
  if (password.length < 12 || password.length > 200) throw invalid('password', 'Must have 12 to 200 characters.')
  const now = realNow()
  const operator = {
    id: newId('operator_', now),
    email: canonical,
    passwordHash: await hashPassword(password),
    createdAt: now,
  }
  if (!(await store.insertOperator(db(), operator)))
    throw invalid('email', 'There is an operator with this e-mail address.')
  return { operatorId: operator.id }
}

/**
 * Takes the second factor from an operator who has lost it, and ends all sessions: the next log-in sets up a new one.
 * Refuses `validation_failed` on an unknown address.
 */
export async function resetSecondFactor(
  email: string,
  by: Actor = commandLine(),
): Promise<{ operatorId: string; endedSessions: number }> {
  const found = await store.findOperator(db(), { email: canonicalEmail(email) ?? '' })
  if (!found) throw invalid('email', 'There is no operator with this e-mail address.')
  return db().$transaction(async (sql) => {
    const operator = await store.lockOperator(sql, found.id)
    if (!operator) throw new Error('an operator vanished')
    const none = { totpSecret: null, totpSince: null, totpStep: null }
    await store.saveOperator(sql, { ...operator, ...none, failedLogins: 0, lockedUntil: null })
    await store.replaceRecoveryCodes(sql, operator.id, [])
    const endedSessions = await store.endSessions(sql, { operatorId: operator.id }, realNow())
    const change = { action: 'operator.reset_second_factor', subject: operator.id }
    await writeAudit(sql, by, { ...change, before: { since: operator.totpSince }, after: { since: null } })
    return { operatorId: operator.id, endedSessions }
  })
}
