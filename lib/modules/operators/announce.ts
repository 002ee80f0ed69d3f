import { toWire } from '../../kernel/moment.ts'
import { config } from '../../platform/config.ts'
import type { Actor } from '../audit/rules/entry.ts'
import type { AccessChange, OwnAccessEmail } from '../emails/rules/email.ts'
import type { Transaction } from '../events/transact.ts'
import { emailOperator } from './email-operator.ts'
import { notifyMembers } from './notify-members.ts'
import { type AdminAction, announcedBy } from './rules/admin-actions.ts'
import { findOperator, type Operator } from './store.ts'

/** How a person is named to others: a member by the address, the service's own staff by the seller's name. */
export async function nameOf(tx: Transaction, { id }: Pick<Actor, 'id'>): Promise<string> {
  const operator = await findOperator(tx.sql, { id })
  return operator?.membership ? operator.email : config().seller.name
}

interface AccessNotice {
  readonly action: AdminAction
  readonly actor: Pick<Actor, 'id'>
  readonly change: AccessChange
  /** Of the admin area, below the storefront's. */
  readonly page: '/members' | '/keys'
  /** Whose own access is changed: an owner among them is emailed that alone. */
  readonly person?: { readonly operator: Operator; readonly change: OwnAccessEmail['change'] }
  /** When changed bank details are paid to, where that was put off. */
  readonly payoutsWaitUntil?: Date | null
}

/** Emails whom the table of actions names about a change of access, in the transaction of the change. */
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
