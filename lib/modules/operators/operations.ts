import { canonicalEmail } from '../../kernel/email.ts'
import type { Locale } from '../../kernel/locale.ts'
import { toWire } from '../../kernel/moment.ts'
import { invalid } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import { everywhere, realNow } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { merchantExists } from '../accounts/store.ts'
import { commandLine } from '../audit/command-line.ts'
import type { Actor } from '../audit/rules/entry.ts'
import { writeAudit } from '../audit/write.ts'
import { transact } from '../events/transact.ts'
import { deleteFailures } from './attempt-store.ts'
import { codeOf, passwordOf } from './attempts.ts'
import { forgetDevices } from './devices.ts'
import { emailOperator } from './email-operator.ts'
import { deletePasskeys } from './passkey-store.ts'
import { hashPassword, isLongEnough } from './password.ts'
import { type RemovedOperator, removeStaffLogIn } from './remove.ts'
import type { Role } from './rules/access.ts'
import { logInEmail } from './rules/invitation.ts'
import type { Membership } from './store.ts'
import * as store from './store.ts'

/** The password has 12 to 200 characters. */
export const createOperator = async (logIn: LogIn, by: Actor = commandLine()): Promise<{ operatorId: string }> => ({
  operatorId: await create(logIn, null, by),
})

/** `locale` is the language of the admin area and of emails. Throws `validation_failed`. */
export async function createMember(
  { merchantId, role, ...logIn }: LogIn & Membership & { readonly locale?: Locale },
  by: Actor = commandLine(),
): Promise<{ operatorId: string; role: Role }> {
  if (!(await merchantExists(db(), merchantId))) throw invalid('merchant', 'There is no merchant with this id.')
  return { operatorId: await create(logIn, { merchantId, role }, by), role }
}

interface LogIn {
  readonly email: string
  readonly password: string
}

async function create(
  { email, password, locale = 'en' }: LogIn & { readonly locale?: Locale | undefined },
  membership: Membership | null,
  by: Actor,
): Promise<string> {
  const canonical = logInEmail(email)
  if (!isLongEnough(password)) throw invalid('password', 'Must have 12 to 200 characters.')
  const now = realNow()
  const operator = {
    id: newId('operator_', now),
    email: canonical,
    passwordHash: await hashPassword(password),
    createdAt: now,
    membership,
    locale,
  }
  return db().$transaction(async (sql) => {
    if (!(await store.insertOperator(sql, operator))) throw invalid('email', ruleProblem('login_exists'))
    const action = membership ? 'member.create' : 'operator.create'
    await writeAudit(sql, by, { action, subject: operator.id, before: null, after: membership })
    return operator.id
  })
}

/**
 * Deletes the second factor with its recovery codes, the passkeys, the known browsers, and the counts of failed
 * log-ins. Ends all sessions, and emails the operator. Throws `validation_failed` if the email address is unknown.
 */
export const resetSecondFactor = (
  email: string,
  by: Actor = commandLine(),
): Promise<{ operatorId: string; endedSessions: number }> =>
  transact(everywhere, async (tx) => {
    const { sql } = tx
    const operator = await lockByEmail(sql, email)
    const none = { sealedTotpSecret: null, totpSince: null, totpStep: null }
    await store.saveOperator(sql, { ...operator, ...none })
    await deleteFailures(sql, { subject: passwordOf(operator.email) })
    await deleteFailures(sql, { subject: codeOf(operator.id) })
    await forgetDevices(sql, operator.id)
    await store.replaceRecoveryCodes(sql, operator.id, [])
    await deletePasskeys(sql, { operatorId: operator.id })
    const endedSessions = await store.endSessions(sql, { operatorId: operator.id }, realNow())
    const change = { action: 'operator.reset_second_factor', subject: operator.id }
    await writeAudit(sql, by, { ...change, before: { since: operator.totpSince }, after: { since: null } })
    const removed = { of: 'secondFactorRemoved', at: toWire(realNow()) } as const
    await emailOperator(tx, operator, { kind: 'own_access_changed', change: removed })
    return { operatorId: operator.id, endedSessions }
  })

/**
 * Removes a log-in of staff, with its sessions and pending invitations. The last log-in of staff can be removed too, because the command line can create a
 * new log-in. Throws `validation_failed` if the email address is unknown or belongs to a member.
 */
export const removeOperator = (email: string, by: Actor = commandLine()): Promise<RemovedOperator> =>
  db().$transaction(async (sql) => {
    const operator = await lockByEmail(sql, email)
    if (operator.membership)
      throw invalid(
        'email',
        'This log-in belongs to a member of a merchant. Remove the member in the admin area, under Members.',
      )
    return removeStaffLogIn(sql, operator, by)
  })

async function lockByEmail(sql: Sql, email: string): Promise<store.Operator> {
  const found = await store.findOperator(sql, { email: canonicalEmail(email) ?? '' })
  const operator = found && (await store.lockOperator(sql, found.id))
  if (!operator) throw invalid('email', 'There is no operator with this email address.')
  return operator
}
