import { toWire } from '../../kernel/moment.ts'
import { config } from '../../platform/config.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { Actor } from '../audit/rules/entry.ts'
import type { AccessChange, OwnAccessEmail, SignInChange } from '../emails/rules/email.ts'
import type { Transaction } from '../events/transact.ts'
import { emailOperator } from './email-operator.ts'
import { notifyMembers } from './notify-members.ts'
import { type AdminAction, announcedBy } from './rules/admin-actions.ts'
import { sessionsPath } from './signed-in.ts'
import { findOperator, type Operator } from './store.ts'

/** The name that other people see: an email address, or the seller's name for staff. */
export async function nameOf(tx: Transaction, { id }: Pick<Actor, 'id'>): Promise<string> {
  const operator = await findOperator(tx.sql, { id })
  return operator?.membership ? operator.email : config().seller.name
}

interface AccessNotice {
  readonly action: AdminAction
  readonly actor: Pick<Actor, 'id'>
  readonly change: AccessChange
  /** The path of the page, relative to the storefront's page in the admin area. */
  readonly page: '/members' | '/keys'
  /** The person whose access changes. If this person is an owner, they get the email about their own access instead of the email to owners. */
  readonly person?: { readonly operator: Operator; readonly change: OwnAccessEmail['change'] }
  /**
   * The time from which payouts use the changed bank details. Set only if the removal or a new role of an owner delayed
   * this time.
   */
  readonly payoutsWaitUntil?: Date | null
}

export async function announceSignIn(
  tx: Transaction,
  action: AdminAction,
  operator: Operator,
  change: SignInChange,
): Promise<void> {
  if (announcedBy(action, false).person === 'own_access_changed')
    await emailOperator(tx, operator, { kind: 'own_access_changed', change })
}

interface OpenedSession {
  readonly operator: Operator
  /** The hash of a known browser's secret; null for an unknown browser. */
  readonly device: string | null
  readonly address: string
  readonly now: Date
}

export async function announceNewBrowser(tx: Transaction, opened: OpenedSession): Promise<void> {
  const { operator, device, address, now } = opened
  if (device !== null) return
  const url = pageUrl(sessionsPath)
  await announceSignIn(tx, 'operator.log_in', operator, { of: 'newBrowser', at: toWire(now), address, url })
}

export async function announceAccess(tx: Transaction, notice: AccessNotice): Promise<void> {
  const { action, actor, change, page, person, payoutsWaitUntil } = notice
  const emails = announcedBy(action, tx.testmode)
  if (emails.owners === 'access_changed') {
    const by = await nameOf(tx, actor)
    const waits = payoutsWaitUntil ? { payoutsWaitUntil: toWire(payoutsWaitUntil) } : {}
    await notifyMembers(tx, { kind: 'access_changed', by, change, ...waits }, page, person?.operator.email)
  }
  if (person && emails.person === 'own_access_changed')
    await emailOperator(tx, person.operator, { kind: 'own_access_changed', change: person.change })
}
