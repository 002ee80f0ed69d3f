import { realNow } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/identity.ts'
import type { Sql } from '../../platform/db/db.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { sessionCookie } from '../../platform/http/cookies.ts'
import { WorkQueue } from '../../platform/work-queue.ts'
import type { OperatorSession } from './rules/session.ts'
import { insertSession } from './store.ts'

export const operatorCookie = '__Host-billhook-operator'
export const secondFactor = '/admin/second-factor'

export interface Next {
  readonly redirectTo: string
  readonly cookie?: string
  readonly deviceCookie?: string
}

export interface Browser {
  readonly address: string
  readonly name: string
  readonly cookies?: string | null
}

/**
 * At most two password checks run at once, because a check needs 19 MiB and about 30 ms. Otherwise, many log-ins would
 * delay other requests.
 */
export const passwords = new WorkQueue({ atOnce: 2, most: 40, mostOfOne: 4, retryAfterSeconds: 5 })

/** The session needs a second factor before it gives access. */
export async function beginSession(sql: Sql, operatorId: string, browser: Browser): Promise<Next> {
  const { secret, hash } = newSecret()
  await insertSession(sql, newSession(operatorId, browser, realNow()), hash)
  return { redirectTo: secondFactor, cookie: sessionCookie(operatorCookie, secret, 'Strict') }
}

export const newSession = (
  operatorId: string,
  { address, name }: Pick<Browser, 'address' | 'name'>,
  now: Date,
): OperatorSession => ({
  id: newId('operator_session_', now),
  operatorId,
  address,
  browser: name.slice(0, 300),
  createdAt: now,
  lastUsedAt: now,
  verifiedAt: null,
  confirmedAt: null,
  endedAt: null,
})
