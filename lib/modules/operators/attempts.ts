import { realNow } from '../../platform/clock/clock.ts'
import { searchHashes } from '../../platform/crypto/sealed.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { addressBlock } from '../../platform/http/client-address.ts'
import { deleteFailures, everywhere, lockFailures, saveFailures } from './attempt-store.ts'
import { afterFailure, type Failures, isLocked, type Purpose } from './rules/attempts.ts'

export interface Attempt {
  readonly purpose: Purpose
  /** The kind of the attempt and the account, such as `code operator_…`. For a password, a hash of the email address identifies the account. */
  readonly subject: string
  /** The IP address, or the id of a session. */
  readonly source: string
  /** The hash of a known browser's secret. Attempts in unknown browsers cannot lock a known browser. */
  readonly device: string | null
  /** Whether attempts from all addresses share one limit, as a defense against an attacker with many addresses. */
  readonly isLimitedInAll: boolean
}

export interface Begun {
  readonly purpose: Purpose
  readonly subject: string
  readonly source: string
  readonly isLimitedInAll: boolean
  readonly failures: Failures
}

/** Attempts for unknown email addresses are counted like other attempts, so that a lock does not reveal whether an account exists. */
export const passwordOf = (email: string): string => `password ${Buffer.from(searchHashes(email)[0]).toString('hex')}`
export const codeOf = (operatorId: string): string => `code ${operatorId}`
const stepUpOf = (operatorId: string): string => `step_up ${operatorId}`

interface From {
  readonly address: string
  readonly device: string | null
}

export const passwordAttempt = (email: string, { address, device }: From): Attempt => ({
  purpose: 'password',
  subject: passwordOf(email),
  source: addressBlock(address),
  device,
  isLimitedInAll: true,
})

export const codeAttempt = (operatorId: string, { address, device }: From): Attempt => ({
  purpose: 'code',
  subject: codeOf(operatorId),
  source: addressBlock(address),
  device,
  isLimitedInAll: true,
})

/** Counts wrong codes per session, so that a person without the session cannot lock the attempts of the session. */
export const stepUpAttempt = (operatorId: string, sessionId: string): Attempt => ({
  purpose: 'code',
  subject: stepUpOf(operatorId),
  source: sessionId,
  device: null,
  isLimitedInAll: false,
})

/**
 * Counts an attempt as failed before the password or code is checked, so that parallel attempts share one limit. Returns null if attempts are locked.
 * A known browser has a separate count. While the attempts of a known browser are locked, the browser is treated as unknown.
 */
export const beginAttempt = (attempt: Attempt): Promise<Begun | null> =>
  db().$transaction(async (sql) => {
    const now = realNow()
    const known = attempt.device === null ? null : `device ${attempt.device}`
    if (known !== null) {
      const begun = await count(sql, { ...attempt, source: known, isLimitedInAll: false }, now)
      if (begun) return begun
    }
    return count(sql, attempt, now)
  })

async function count(sql: Sql, attempt: Omit<Attempt, 'device'>, now: Date): Promise<Begun | null> {
  const { purpose, subject, source, isLimitedInAll } = attempt
  const ofSource = await lockFailures(sql, { subject, source }, now)
  const ofAccount = isLimitedInAll ? await lockFailures(sql, { subject, source: everywhere }, now) : null
  if (isLocked(ofSource, now) || (ofAccount && isLocked(ofAccount, now))) return null
  const failures = afterFailure('source', purpose, ofSource, now)
  await saveFailures(sql, { subject, source }, failures)
  if (ofAccount)
    await saveFailures(sql, { subject, source: everywhere }, afterFailure('account', purpose, ofAccount, now))
  return { purpose, subject, source, isLimitedInAll, failures }
}

/** Deletes the failures of the source, and subtracts one failure from the count of the account. Runs in the transaction of the allowed operation. */
export async function succeeded(sql: Sql, { subject, source, isLimitedInAll }: Begun): Promise<void> {
  await deleteFailures(sql, { subject, source })
  if (!isLimitedInAll) return
  const now = realNow()
  const ofAccount = await lockFailures(sql, { subject, source: everywhere }, now)
  const count = Math.max(0, ofAccount.count - 1)
  await saveFailures(sql, { subject, source: everywhere }, { ...ofAccount, count, lockedUntil: null })
}
