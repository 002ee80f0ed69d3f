import type { Sql } from '../../platform/db/db.ts'

export interface Passkey {
  readonly id: string
  readonly operatorId: string
  /** The credential id in base64url. */
  readonly credentialId: string
  /** The public key in COSE format. */
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly counter: bigint
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** Returns false if an operator already has the credential. */
export async function insertPasskey(sql: Sql, passkey: Passkey): Promise<boolean> {
  const { id, operatorId, credentialId, publicKey, counter, name, createdAt, lastUsedAt } = passkey
  const data = {
    id,
    operator_id: operatorId,
    credential_id: credentialId,
    public_key: publicKey,
    counter,
    name,
    created_at: createdAt,
    last_used_at: lastUsedAt,
  }
  return (await sql.operator_passkeys.createMany({ data, skipDuplicates: true })).count === 1
}

export async function findPasskey(sql: Sql, credentialId: string): Promise<Passkey | null> {
  const row = await sql.operator_passkeys.findUnique({ where: { credential_id: credentialId } })
  return row && toPasskey(row)
}

export async function passkeysOf(sql: Sql, operatorId: string): Promise<Passkey[]> {
  const where = { operator_id: operatorId }
  return (await sql.operator_passkeys.findMany({ where, orderBy: { id: 'asc' } })).map(toPasskey)
}

/** `counter` is the signature counter of the authenticator. */
export async function recordPasskeyUse(
  sql: Sql,
  id: string,
  { counter, at }: { counter: bigint; at: Date },
): Promise<void> {
  await sql.operator_passkeys.update({ where: { id }, data: { counter, last_used_at: at }, select: { id: true } })
}

export async function deletePasskeys(
  sql: Sql,
  { operatorId, id }: { operatorId: string; id?: string },
): Promise<number> {
  const where = { operator_id: operatorId, ...(id !== undefined && { id }) }
  return (await sql.operator_passkeys.deleteMany({ where })).count
}

/** Returns whether this use of the challenge is the first. A concurrent second use waits for the first. */
export async function spendChallenge(sql: Sql, hash: Uint8Array<ArrayBuffer>, at: Date): Promise<boolean> {
  const data = { hash, used_at: at }
  return (await sql.used_passkey_challenges.createMany({ data, skipDuplicates: true })).count === 1
}

/** A challenge expires within a day, so older used challenges are not needed. */
export async function deleteOldChallenges(sql: Sql): Promise<void> {
  await sql.$executeRaw`DELETE FROM used_passkey_challenges WHERE used_at < clock_timestamp() - interval '1 day'`
}

type Row = Awaited<ReturnType<Sql['operator_passkeys']['findUniqueOrThrow']>>

const toPasskey = (row: Row): Passkey => ({
  id: row.id,
  operatorId: row.operator_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: row.counter,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})
