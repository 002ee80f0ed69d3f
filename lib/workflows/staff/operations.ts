import { randomBytes } from 'node:crypto'
import type { Locale } from '../../kernel/locale.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import type { Actor } from '../../modules/audit/rules/entry.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import { transact } from '../../modules/events/transact.ts'
import { emailOperator } from '../../modules/operators/email-operator.ts'
import { hashPassword } from '../../modules/operators/password.ts'
import { insertReset } from '../../modules/operators/password-resets.ts'
import { type RemovedOperator, removeStaffLogIn } from '../../modules/operators/remove.ts'
import { expiryOf, logInEmail, mayInvite } from '../../modules/operators/rules/invitation.ts'
import { sessionState } from '../../modules/operators/rules/session.ts'
import * as store from '../../modules/operators/store.ts'
import { sellerInEmail } from '../../modules/orders/seller-view.ts'
import { everywhere, realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { passwordPath } from '../password-reset/link.ts'

export interface StaffMember {
  readonly id: string
  readonly email: string
  readonly createdAt: Date
  readonly hasSecondFactor: boolean
  readonly openSessions: number
  /** The last use of an open session; null if no session is open. */
  readonly lastUsedAt: Date | null
}

const mostSessions = 50

export async function listStaff(): Promise<StaffMember[]> {
  const now = realNow()
  const listed: StaffMember[] = []
  for (const { id, email, createdAt, totpSince } of await store.staffOperators(db())) {
    const open = (await store.sessionsOf(db(), id, mostSessions)).filter((each) => sessionState(each, now) === 'open')
    const uses = open.map(({ lastUsedAt }) => lastUsedAt.getTime())
    listed.push({
      id,
      email,
      createdAt,
      hasSecondFactor: totpSince !== null,
      openSessions: open.length,
      lastUsedAt: uses.length === 0 ? null : new Date(Math.max(...uses)),
    })
  }
  return listed
}

const isTaken = () => invalid('email', ruleProblem('login_exists'))

/** Refuses an invitation that `inviteStaff` would refuse later. Call this function before a second-factor code is used up. */
export async function checkInvited(email: string): Promise<void> {
  if (await store.findOperator(db(), { email: logInEmail(email) })) throw isTaken()
  checkLimit(await store.staffOperators(db()), realNow())
}

function checkLimit(staff: readonly { readonly createdAt: Date }[], now: Date): void {
  const made = staff.map(({ createdAt }) => createdAt)
  if (!mayInvite(made, now)) throw invalid('email', ruleProblem('invitations_per_day'))
}

/**
 * Creates a log-in for another staff member, and emails a link that sets its password. The link works once, within seven days. Later, the person gets a link
 * from "Forgot your password?". Refuses with `validation_failed` on `email` if the address is invalid, if it has a log-in, or if the daily limit of new
 * log-ins is reached.
 */
export async function inviteStaff(
  { email, locale }: { readonly email: string; readonly locale: Locale },
  by: Actor,
): Promise<{ operatorId: string }> {
  const to = logInEmail(email)
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
  return transact(everywhere, async (tx) => {
    const { sql } = tx
    const now = realNow()
    const staff = await store.lockStaff(sql)
    const inviter = staff.find(({ id }) => id === by.id)
    if (!inviter) throw new Refusal('not_found')
    checkLimit(staff, now)
    const operatorId = newId('operator_', now)
    const operator = { id: operatorId, email: to, passwordHash, createdAt: now, membership: null, locale }
    if (!(await store.insertOperator(sql, operator))) throw isTaken()
    const { secret, hash } = newSecret()
    const reset = { id: tx.newId('password_reset_'), operatorId, createdAt: now, expiresAt: expiryOf(now) }
    await insertReset(sql, reset, hash)
    const seller = sellerInEmail(config().seller)
    await enqueueEmail(tx, {
      to,
      locale,
      content: {
        kind: 'member_invitation',
        invitedBy: inviter.email,
        url: pageUrl(passwordPath(secret)),
        storefrontName: seller.name,
        seller,
        customerId: null,
        customerName: null,
      },
    })
    await writeAudit(sql, by, { action: 'operator.invite', subject: operatorId, before: null, after: null })
    return { operatorId }
  })
}

const own = ruleProblem('own_login')

/** Refuses a call that `removeStaff` would refuse later. Call this function before a second-factor code is used up. */
export async function checkRemoved(id: string, by: Actor): Promise<void> {
  if (id === by.id) throw invalid('operator', own)
  const operator = await store.findOperator(db(), { id })
  if (!operator || operator.membership) throw new Refusal('not_found')
}

/**
 * Removes a staff member, and emails this person. Nobody can remove their own log-in, so at least one log-in is left. If two people remove each other
 * at the same time, the lock makes the second call wait, and only the first succeeds. Refuses with `not_found`, or with `validation_failed` if the
 * log-in is the caller's own.
 */
export const removeStaff = (id: string, by: Actor): Promise<RemovedOperator> =>
  transact(everywhere, async (tx) => {
    const staff = await store.lockStaff(tx.sql)
    const [operator, remover] = [id, by.id].map((asked) => staff.find((each) => each.id === asked))
    if (!operator || !remover) throw new Refusal('not_found')
    if (operator.id === remover.id) throw invalid('operator', own)
    await emailOperator(tx, operator, { kind: 'own_access_changed', change: { of: 'removed', by: remover.email } })
    return removeStaffLogIn(tx.sql, operator, by)
  })

/** Ends all sessions of a staff member, who can then sign in again. Refuses with `not_found`. */
export const endStaffSessions = (id: string, by: Actor): Promise<{ endedSessions: number }> =>
  transact(everywhere, async ({ sql }) => {
    const operator = await store.lockOperator(sql, id)
    if (!operator || operator.membership) throw new Refusal('not_found')
    const endedSessions = await store.endSessions(sql, { operatorId: id }, realNow())
    const after = { endedSessions }
    await writeAudit(sql, by, { action: 'operator.end_sessions', subject: id, before: null, after })
    return after
  })
