import { toWire } from '../../kernel/moment.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { writeAudit } from '../audit/write.ts'
import type { Transaction } from '../events/transact.ts'
import { announceSignIn } from './announce.ts'
import type { OperatorSession } from './rules/session.ts'
import { recoveryCodeHash, recoveryCodes, stepOf } from './second-factor.ts'
import { actorOf, sessionsPath } from './signed-in.ts'
import * as store from './store.ts'

interface GivenCode {
  readonly operator: store.Operator
  readonly code: string
  readonly session: OperatorSession
}

interface RightCode {
  readonly operator: store.Operator
  readonly isRecoveryCode: boolean
}

/** Recovery codes work even if the second factor's secret cannot be decrypted, because the hashes of recovery codes need no key. */
export async function afterCode(tx: Transaction, given: GivenCode, now: Date): Promise<RightCode | null> {
  const { operator, code } = given
  const after = operator.totpSince ? afterTotp(given, now) : await afterSetUp(tx, given, now)
  if (after || !operator.totpSince) return after && { operator: after, isRecoveryCode: false }
  const isRecovery = await store.takeRecoveryCode(tx.sql, operator.id, { hash: recoveryCodeHash(code), at: now })
  if (!isRecovery) return null
  await recordRecoveryCode(tx, given, now)
  return { operator, isRecoveryCode: true }
}

function afterTotp({ operator, code }: GivenCode, now: Date): store.Operator | null {
  const secret = store.openTotpSecret(operator)
  const step = secret === null ? null : stepOf(secret, code, operator.totpStep, now)
  return step === null ? null : { ...operator, totpStep: step }
}

/** Only a secret that this session displayed can become the operator's secret. */
async function afterSetUp(
  { sql }: Transaction,
  { operator, code, session }: GivenCode,
  now: Date,
): Promise<store.Operator | null> {
  const secret = await store.openSessionSecret(sql, session.id)
  const step = secret === null ? null : stepOf(secret, code, null, now)
  if (secret === null || step === null) return null
  await store.replaceRecoveryCodes(sql, operator.id, recoveryCodes(secret).map(recoveryCodeHash))
  return { ...operator, sealedTotpSecret: store.sealTotpSecret(operator.id, secret), totpSince: now, totpStep: step }
}

async function recordRecoveryCode(tx: Transaction, { operator, session }: GivenCode, now: Date): Promise<void> {
  const action = 'operator.use_recovery_code'
  const left = await store.unusedRecoveryCodes(tx.sql, operator.id)
  const change = { action, subject: operator.id, before: null, after: { session: session.id, left } }
  await writeAudit(tx.sql, actorOf({ session, operator }), change)
  const url = pageUrl(sessionsPath)
  await announceSignIn(tx, action, operator, { of: 'recoveryCodeUsed', at: toWire(now), left, url })
}
