import { canonicalEmail } from '../../kernel/email.ts'
import type { Locale } from '../../kernel/locale.ts'
import { toWire } from '../../kernel/moment.ts'
import { invalid } from '../../kernel/refusal.ts'
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
import type { Membership } from './store.ts'
import * as store from './store.ts'

/**
 * Creates a member of the service's own staff. The password has 12 to 200 characters and is stored as an argon2id hash.
 */
export const createOperator = async (logIn: LogIn, by: Actor = commandLine()): Promise<{ operatorId: string }> => ({
  operatorId: await create(logIn, null, by),
})

/**
 * Creates a log-in for a member of a merchant, who sees that merchant's storefronts alone, as far as the role allows.
 * Emails to them are in `locale`, English by default.
 * Refuses `validation_failed` on an unknown merchant too.
 */
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
  const canonical = canonicalEmail(email)
  if (canonical === null) throw invalid('email', 'Must be an e-mail address.')
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
    if (!(await store.insertOperator(sql, operator)))
      throw invalid('email', 'There is a log-in with this e-mail address.')
    const action = membership ? 'member.create' : 'operator.create'
    await writeAudit(sql, by, { action, subject: operator.id, before: null, after: membership })
    return operator.id
  })
}

/**
 * Takes the second factor and all passkeys from an operator who has lost it, and ends all sessions: the next log-in sets
 * up a new one. Emails the operator.
 * Refuses `validation_failed` on an unknown address.
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
 * Removes a log-in of the service's own staff: its sessions end, and the invitations that it made and that nobody accepted
 * are withdrawn. What the audit log says of the operator stays, by id.
 * The last log-in can be removed too, because a stolen log-in must not stay only because it is the last.
 * `operator create` makes another log-in at any time. A merchant's last owner cannot be removed, because an owner has no command
 * line. `doctor` reports when no log-in of the staff is left.
 * Refuses `validation_failed` on an unknown address, and on that of a member.
 */
export const removeOperator = (email: string, by: Actor = commandLine()): Promise<RemovedOperator> =>
  db().$transaction(async (sql) => {
    const operator = await lockByEmail(sql, email)
    if (operator.membership)
      throw invalid('email', 'This is a member of a merchant: remove them in the admin area, under Members.')
    return removeStaffLogIn(sql, operator, by)
  })

async function lockByEmail(sql: Sql, email: string): Promise<store.Operator> {
  const found = await store.findOperator(sql, { email: canonicalEmail(email) ?? '' })
  const operator = found && (await store.lockOperator(sql, found.id))
  if (!operator) throw invalid('email', 'There is no operator with this e-mail address.')
  return operator
}
