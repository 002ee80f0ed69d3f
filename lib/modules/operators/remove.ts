import { realNow } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Actor } from '../audit/rules/entry.ts'
import { writeAudit } from '../audit/write.ts'
import { withdrawInvitationsBy } from './members.ts'
import type { Operator } from './store.ts'
import * as store from './store.ts'

export interface RemovedOperator {
  /** The audit log shows this id instead of the email address. */
  readonly operatorId: string
  readonly endedSessions: number
  readonly withdrawnInvitations: number
}

/** The caller must have locked the operator. */
export async function removeStaffLogIn(sql: Sql, { id, totpSince }: Operator, by: Actor): Promise<RemovedOperator> {
  const now = realNow()
  const withdrawnInvitations = await withdrawInvitationsBy(sql, id, now)
  const endedSessions = await store.endSessions(sql, { operatorId: id }, now)
  await store.deleteOperator(sql, id)
  await writeAudit(sql, by, { action: 'operator.remove', subject: id, before: { since: totpSince }, after: null })
  return { operatorId: id, endedSessions, withdrawnInvitations }
}
