import type { Sql } from '../../platform/db/db.ts'
import { recoveryCodeHash, recoveryCodes, stepOf } from './second-factor.ts'
import * as store from './store.ts'

/**
 * The operator after a right code; null after a wrong one. Of a second factor that is set up and whose secret cannot be opened the
 * recovery codes open the way in still, as the hashes of them need no key.
 */
export async function afterCode(
  sql: Sql,
  operator: store.Operator,
  { code, sessionId }: { code: string; sessionId: string },
  now: Date,
): Promise<store.Operator | null> {
  if (!operator.totpSince) return afterSetUp(sql, operator, { code, sessionId }, now)
  const secret = store.openTotpSecret(operator)
  const step = secret === null ? null : stepOf(secret, code, operator.totpStep, now)
  if (step !== null) return { ...operator, totpStep: step }
  const isRecovery = await store.takeRecoveryCode(sql, operator.id, { hash: recoveryCodeHash(code), at: now })
  return isRecovery ? operator : null
}

/** The secret that the session was shown, and no other, becomes that of the operator. */
async function afterSetUp(
  sql: Sql,
  operator: store.Operator,
  { code, sessionId }: { code: string; sessionId: string },
  now: Date,
): Promise<store.Operator | null> {
  const secret = await store.openSessionSecret(sql, sessionId)
  const step = secret === null ? null : stepOf(secret, code, null, now)
  if (secret === null || step === null) return null
  await store.replaceRecoveryCodes(sql, operator.id, recoveryCodes(secret).map(recoveryCodeHash))
  return { ...operator, sealedTotpSecret: store.sealTotpSecret(operator.id, secret), totpSince: now, totpStep: step }
}
