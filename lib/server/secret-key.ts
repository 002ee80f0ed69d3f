import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { acceptUnreadable } from '../modules/audit/write.ts'
import { config } from '../platform/config.ts'
import { isOpenable, isSealedNow, seal, unseal } from '../platform/crypto/sealed.ts'
import { db } from '../platform/db/db.ts'
import { exported } from '../workflows/transfer/tables.ts'
import { encrypted, keyProofAt } from './encrypted.ts'

/**
 * The key proof is a known text, which the database stores encrypted with SECRET_KEY. A process whose key cannot decrypt the proof does not start. Otherwise it
 * would encrypt values with that key, and the operator could lose these values.
 */

const place = keyProofAt('1')
const proof = 'sealed with the secret key of this database'

const lost = 'If the former key is lost, run `npm run cli -- secret-key accept`.'

/**
 * Returns the error message. If the service generated the key (in development), the message names the file that
 * contains the key.
 */
function problem(): string {
  const file = path.resolve(process.env.BILLHOOK_DATA || '.data', 'secret-key')
  const isMade = existsSync(file) && readFileSync(file, 'utf8').trim() === config().secretKey
  return isMade
    ? `The secret key in ${file} is not the key that encrypted this database. Restore the former file, or set ` +
        `SECRET_KEY to its content. ${lost}`
    : 'SECRET_KEY is not the key that encrypted this database. Restore the former key. If you changed the key, ' +
        `list the former key in SECRET_KEY_PREVIOUS. ${lost}`
}

class WrongKey extends Error {
  override name = 'UserFacingError'
}

/**
 * Throws if SECRET_KEY is not this database's key. Stores the key proof (a known text, encrypted with SECRET_KEY) if
 * the database has none. If a previous key encrypted the key proof, encrypts it with the current key. Several processes
 * may call this function at the same time.
 */
export async function proveSecretKey(): Promise<void> {
  await requireSecretKey()
  const before = await sealedProof()
  if (before && isSealedNow(before)) return
  const sealed = seal(proof, place)
  if (before) await db().key_proofs.updateMany({ where: { sealed: before }, data: { sealed } })
  else await db().key_proofs.createMany({ data: [{ sealed }], skipDuplicates: true })
  // Checks the key proof again, because another process may have stored a proof that this process cannot decrypt.
  await requireSecretKey()
}

/** Throws if SECRET_KEY is not this database's key. Unlike `proveSecretKey`, does not write to the database. */
export async function requireSecretKey(): Promise<void> {
  const wrong = await secretKeyProblem()
  if (wrong !== null) throw new WrongKey(wrong)
}

/** Replaces the key proof after the previous SECRET_KEY was lost. Values encrypted with the lost key stay unreadable. */
export async function acceptSecretKey(): Promise<{ accepted: boolean }> {
  if ((await secretKeyProblem()) === null) return { accepted: false }
  const sealed = seal(proof, place)
  await db().$transaction(async (sql) => {
    await sql.key_proofs.upsert({ where: { id: 1 }, create: { id: 1, sealed }, update: { sealed } })
    await acceptUnreadable(sql)
  })
  return { accepted: true }
}

/** Why SECRET_KEY does not decrypt this database, in a few sentences; null if SECRET_KEY decrypts it. */
export async function secretKeyProblem(): Promise<string | null> {
  const sealed = await sealedProof()
  if (sealed) return opens(sealed) ? null : problem()
  const newest = await newestSealed()
  return newest.length === 0 || newest.some(isOpenable) ? null : problem()
}

/** Names the encrypted columns in the output of `doctor`, which checks whether the values can be decrypted. */
export const checkedColumns: Readonly<Record<string, string>> = {
  'operators.totp_secret': 'second factors',
  'webhook_endpoints.sealed_secret': 'secrets of webhook endpoints',
  'provider_accounts.sealed': 'keys of provider accounts',
  'payout_accounts.sealed': 'bank accounts',
  'payout_batches.sealed': 'payout files',
  'order_withdrawals.sealed': 'declarations of withdrawal',
  'email_suppressions.sealed': 'suppressed addresses',
  'chargeback_evidence.sealed': 'unsent evidence of disputes',
}

/** The encrypted columns that `doctor` does not check, each with the reason. */
export const uncheckedColumns: Readonly<Record<string, string>> = {
  'key_proofs.sealed': '`secretKeyProblem` checks the key proof',
  'operator_sessions.totp_secret': 'removed when the person confirms the second factor',
  'webhook_endpoints.previous_secret': 'removed when the secret stops signing',
  'email_changes.sealed': 'removed 30 days after the link expires',
  'idempotency_keys.body': 'removed after a day',
  'tasks.data': 'removed after the task has run',
  'emails.sealed': 'too many rows to read, and removed after EMAIL_RETENTION_DAYS',
}

/** Groups of values that no configured key decrypts, for example because SECRET_KEY_PREVIOUS was emptied. */
export async function unreadableKinds(): Promise<string[]> {
  const found: string[] = []
  for (const { table, name, value } of encrypted) {
    const words = checkedColumns[name]
    if (words === undefined) continue
    // The first four bytes of an encrypted value identify its key. An empty value, such as the payout file of another installation, has no key.
    const keys = await db().$queryRawUnsafe<{ key: Uint8Array }[]>(
      `SELECT DISTINCT substring(${value} from 1 for 4) AS key FROM "${table}" WHERE ${value} <> ''`,
    )
    if (!keys.every(({ key }) => isOpenable(key))) found.push(words)
  }
  return found
}

const sealedProof = async (): Promise<Uint8Array<ArrayBuffer> | null> =>
  (await db().key_proofs.findFirst({ where: { id: 1 } }))?.sealed ?? null

function opens(sealed: Uint8Array): boolean {
  try {
    return unseal(sealed, place) === proof
  } catch {
    return false
  }
}

/**
 * Without a key proof, the newest encrypted values (by the largest id) of these tables show whether the configured keys
 * belong to this database. Every installation in use has encrypted values in at least one of these tables.
 */
const sampled = ['webhook_endpoints', 'emails', 'provider_accounts', 'payout_accounts']

async function newestSealed(): Promise<Uint8Array[]> {
  const found: Uint8Array[] = []
  for (const table of sampled) {
    const column = exported[table]?.sealed?.[0]?.column
    const [row] = await db().$queryRawUnsafe<{ sealed: Uint8Array }[]>(
      `SELECT "${column}" AS sealed FROM "${table}" ORDER BY id DESC LIMIT 1`,
    )
    if (row) found.push(row.sealed)
  }
  return found
}
