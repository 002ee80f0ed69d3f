import { realNow } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Actor } from '../audit/rules/entry.ts'
import { writeAudit } from '../audit/write.ts'
import { withdrawInvitationsBy } from './members.ts'
import type { Operator } from './store.ts'
import * as store from './store.ts'

export interface RemovedOperator {
  /** From now on, the audit log shows this id instead of the email address, and can be filtered by the id. */
  readonly operatorId: string
  readonly endedSessions: number
  readonly withdrawnInvitations: number
}

/** Removes a locked log-in of the staff, in the caller's transaction. */
export async function removeStaffLogIn(sql: Sql, { id, totpSince }: Operator, by: Actor): Promise<RemovedOperator> {
  const now = realNow()
  const withdrawnInvitations = await withdrawInvitationsBy(sql, id, now)
  const endedSessions = await store.endSessions(sql, { operatorId: id }, now)
  await store.deleteOperator(sql, id)
  await writeAudit(sql, by, { action: 'operator.remove', subject: id, before: { since: totpSince }, after: null })
  return { operatorId: id, endedSessions, withdrawnInvitations }
}
