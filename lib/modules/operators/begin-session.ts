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

/** Where a form of the log-in leads, and what the browser is to remember. */
export interface Next {
  readonly redirectTo: string
  readonly cookie?: string
  /** By which the account knows the browser later. */
  readonly deviceCookie?: string
}

/** The network address of a browser, its user agent, and its cookies. */
export interface Browser {
  readonly address: string
  readonly name: string
  readonly cookies?: string | null
}

/** A password costs 19 MiB and some 30 ms: a flood of log-ins waits for itself. */
export const passwords = new WorkQueue({ atOnce: 2, most: 40, mostOfOne: 4, retryAfterSeconds: 5 })

/** Begins the session of a browser whose password was right, or was just set: its second factor is still to come. */
export async function beginSession(sql: Sql, operatorId: string, browser: Browser): Promise<Next> {
  const { secret, hash } = newSecret()
  await insertSession(sql, newSession(operatorId, browser, realNow()), hash)
  return { redirectTo: secondFactor, cookie: sessionCookie(operatorCookie, secret, 'Strict') }
}

/** The session of a browser, before its second factor. */
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
