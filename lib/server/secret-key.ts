import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { acceptUnreadable } from '../modules/audit/write.ts'
import { config } from '../platform/config.ts'
import { isOpenable, isSealedNow, seal, unseal } from '../platform/crypto/sealed.ts'
import { db } from '../platform/db/db.ts'
import { exported } from '../workflows/transfer/tables.ts'

/** A process with another SECRET_KEY would start, and nobody could later decrypt what the process encrypted. */

const place = 'key_proofs|1|sealed'
const proof = 'sealed with the secret key of this database'

const lost = 'If it is lost: `npm run cli -- secret-key accept`.'

/** In development, a process without a key generates one and stores it in a file. */
function problem(): string {
  const file = path.resolve(process.env.BILLHOOK_DATA || '.data', 'secret-key')
  const isMade = existsSync(file) && readFileSync(file, 'utf8').trim() === config().secretKey
  return isMade
    ? `The secret key in ${file} is not the one that this database was sealed with. Put the former file there again, or set ` +
        `SECRET_KEY to what was in it. ${lost}`
    : 'SECRET_KEY is not the one that this database was sealed with. Set that one again; or, if you have changed it, ' +
        `put the former one into SECRET_KEY_PREVIOUS. ${lost}`
}

class WrongKey extends Error {
  override name = 'UserFacingError'
}

/**
 * Throws if SECRET_KEY is not this database's key. The first process on a database leaves a proof. A process that has
 * the proof's key among its previous keys encrypts the proof again. Several processes may do so at once.
 */
export async function proveSecretKey(): Promise<void> {
  await requireSecretKey()
  const before = await sealedProof()
  if (before && isSealedNow(before)) return
  const sealed = seal(proof, place)
  if (before) await db().key_proofs.updateMany({ where: { sealed: before }, data: { sealed } })
  else await db().key_proofs.createMany({ data: [{ sealed }], skipDuplicates: true })
  // Another process may have stored a proof of another key first.
  await requireSecretKey()
}

/** Throws if SECRET_KEY is not this database's key, and leaves no proof. */
export async function requireSecretKey(): Promise<void> {
  const wrong = await secretKeyProblem()
  if (wrong !== null) throw new WrongKey(wrong)
}

/** After a key is lost: values encrypted with it stay unreadable, and links signed with it stop working. */
export async function acceptSecretKey(): Promise<{ accepted: boolean }> {
  if ((await secretKeyProblem()) === null) return { accepted: false }
  const sealed = seal(proof, place)
  await db().$transaction(async (sql) => {
    await sql.key_proofs.upsert({ where: { id: 1 }, create: { id: 1, sealed }, update: { sealed } })
    await acceptUnreadable(sql)
  })
  return { accepted: true }
}

/** The problem with SECRET_KEY in a few sentences; null if the key decrypts this database. */
export async function secretKeyProblem(): Promise<string | null> {
  const sealed = await sealedProof()
  if (sealed) return opens(sealed) ? null : problem()
  // A database older than its first proof: the key must decrypt the newest encrypted value.
  const newest = await newestSealed()
  return newest.length === 0 || newest.some(isOpenable) ? null : problem()
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

/** Tables that have encrypted values in every installation in use. Their largest id is the newest row. */
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
