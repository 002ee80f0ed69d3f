import type { Locale } from '../../kernel/locale.ts'
import { isOpenable, isSealedNow, seal, unseal, unsealIfOpenable } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Role } from './rules/access.ts'
import type { OperatorSession } from './rules/session.ts'

export interface Operator {
  readonly id: string
  readonly email: string
  readonly passwordHash: string
  /** Null until the second factor is confirmed (`totpSince`). Until then, the session stores the secret. */
  readonly sealedTotpSecret: Uint8Array<ArrayBuffer> | null
  readonly totpSince: Date | null
  readonly totpStep: bigint | null
  readonly membership: Membership | null
  /** The language of the admin area and of emails. */
  readonly locale: Locale
}

export interface Membership {
  readonly merchantId: string
  readonly role: Role
}

export const sealedAt = (id: string) => `operators|${id}|totp_secret`

export const sealTotpSecret = (operatorId: string, secret: string) => seal(secret, sealedAt(operatorId))

/** Returns the secret in base32; null if no secret is set, or if the key that encrypted the secret is not configured. */
export const openTotpSecret = ({ id, sealedTotpSecret }: Operator): string | null =>
  sealedTotpSecret && unsealIfOpenable(sealedTotpSecret, sealedAt(id))

/** Encrypts the secret again with the current key, so that the previous keys can be removed. */
const resealed = (id: string, sealed: Uint8Array<ArrayBuffer>) =>
  isSealedNow(sealed) || !isOpenable(sealed) ? sealed : sealTotpSecret(id, unseal(sealed, sealedAt(id)))

/** Returns false if an operator already has the email address. */
export async function insertOperator(
  sql: Sql,
  operator: {
    id: string
    email: string
    passwordHash: string
    createdAt: Date
    membership: Membership | null
    locale: Locale
  },
): Promise<boolean> {
  const { id, email, passwordHash, createdAt, membership, locale } = operator
  const member = { merchant_id: membership?.merchantId ?? null, role: membership?.role ?? null }
  const data = { id, email, password_hash: passwordHash, created_at: createdAt, locale, ...member }
  return (await sql.operators.createMany({ data, skipDuplicates: true })).count === 1
}

export async function findOperator(sql: Sql, by: { id: string } | { email: string }): Promise<Operator | null> {
  const row = await sql.operators.findUnique({ where: by })
  return row && toOperator(row)
}

export async function emailsOf(sql: Sql, ids: string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.operators.findMany({ where: { id: { in: ids } }, select: { id: true, email: true } })
  return new Map(rows.map(({ id, email }) => [id, email]))
}

export async function emailsOfMembers(sql: Sql, merchantId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.operators.findMany({ where: { merchant_id: merchantId }, select: { id: true, email: true } })
  return new Map(rows.map(({ id, email }) => [id, email]))
}

/** Sorts the members by creation time. */
export async function membersByRole(
  sql: Sql,
  storefrontId: string,
  roles: readonly Role[],
): Promise<{ to: string; locale: Locale }[]> {
  const where = { merchant: { storefronts: { some: { id: storefrontId } } }, role: { in: [...roles] } }
  const rows = await sql.operators.findMany({ where, orderBy: { id: 'asc' }, select: { email: true, locale: true } })
  return rows.map(({ email, locale }) => ({ to: email, locale: locale as Locale }))
}

export interface StaffCount {
  readonly all: number
  readonly withSecondFactor: number
}

export async function countStaff(sql: Sql): Promise<StaffCount> {
  const all = { merchant_id: null }
  const withSecondFactor = await sql.operators.count({ where: { ...all, totp_since: { not: null } } })
  return { all: await sql.operators.count({ where: all }), withSecondFactor }
}

type StaffOperator = Operator & { readonly createdAt: Date }

/** Sorts staff by creation time. The list is not paged, because an installation has few staff. */
export async function staffOperators(sql: Sql): Promise<StaffOperator[]> {
  const rows = await sql.operators.findMany({ where: { merchant_id: null }, orderBy: { id: 'asc' }, take: mostStaff })
  return rows.map((row) => ({ ...toOperator(row), createdAt: row.created_at }))
}

const mostStaff = 500

/** Locks the rows of all staff, so that concurrent removals run one after another. */
export async function lockStaff(sql: Sql): Promise<StaffOperator[]> {
  await sql.$queryRaw`SELECT 1 FROM operators WHERE merchant_id IS NULL ORDER BY id FOR UPDATE`
  return staffOperators(sql)
}

/** Locks the operator, so that concurrent attempts run one after another. */
export async function lockOperator(sql: Sql, id: string): Promise<Operator | null> {
  await sql.$queryRaw`SELECT 1 FROM operators WHERE id = ${id} FOR UPDATE`
  return findOperator(sql, { id })
}

export async function saveOperator(sql: Sql, operator: Operator): Promise<void> {
  const { id, passwordHash, sealedTotpSecret, totpSince, totpStep } = operator
  await sql.operators.update({
    where: { id },
    data: {
      password_hash: passwordHash,
      totp_secret: sealedTotpSecret && resealed(id, sealedTotpSecret),
      totp_since: totpSince,
      totp_step: totpStep,
    },
    select: { id: true },
  })
}

/** Ends all sessions. The caller must have locked the operator. */
export async function deleteOperator(sql: Sql, id: string): Promise<void> {
  const where = { operator_id: id }
  await sql.operator_sessions.deleteMany({ where })
  await sql.operator_recovery_codes.deleteMany({ where })
  await sql.operator_passkeys.deleteMany({ where })
  await sql.operator_devices.deleteMany({ where })
  await sql.password_resets.deleteMany({ where })
  await sql.operators.delete({ where: { id }, select: { id: true } })
}

export async function saveLocale(sql: Sql, id: string, locale: Locale): Promise<void> {
  await sql.operators.update({ where: { id }, data: { locale }, select: { id: true } })
}

export async function replaceRecoveryCodes(
  sql: Sql,
  operatorId: string,
  hashes: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  await sql.operator_recovery_codes.deleteMany({ where: { operator_id: operatorId } })
  await sql.operator_recovery_codes.createMany({ data: hashes.map((hash) => ({ operator_id: operatorId, hash })) })
}

/** Returns false if the operator has no unused code with this hash. */
export async function takeRecoveryCode(
  sql: Sql,
  operatorId: string,
  { hash, at }: { hash: Uint8Array<ArrayBuffer>; at: Date },
): Promise<boolean> {
  const where = { operator_id: operatorId, hash, used_at: null }
  return (await sql.operator_recovery_codes.updateMany({ where, data: { used_at: at } })).count === 1
}

export const unusedRecoveryCodes = (sql: Sql, operatorId: string): Promise<number> =>
  sql.operator_recovery_codes.count({ where: { operator_id: operatorId, used_at: null } })

export async function insertSession(sql: Sql, session: OperatorSession, hash: Uint8Array<ArrayBuffer>): Promise<void> {
  const { id, operatorId, address, browser, createdAt, verifiedAt, confirmedAt, lastUsedAt, endedAt } = session
  await sql.operator_sessions.create({
    data: {
      id,
      address,
      browser,
      operator_id: operatorId,
      secret_hash: hash,
      created_at: createdAt,
      verified_at: verifiedAt,
      confirmed_at: confirmedAt,
      last_used_at: lastUsedAt,
      ended_at: endedAt,
    },
    select: { id: true },
  })
}

export async function findSession(sql: Sql, hash: Uint8Array<ArrayBuffer>): Promise<OperatorSession | null> {
  const row = await sql.operator_sessions.findUnique({ where: { secret_hash: hash } })
  return row && toSession(row)
}

export async function sessionsOf(sql: Sql, operatorId: string, take: number): Promise<OperatorSession[]> {
  const where = { operator_id: operatorId, ended_at: null }
  return (await sql.operator_sessions.findMany({ where, orderBy: { id: 'desc' }, take })).map(toSession)
}

export async function verifySession(
  sql: Sql,
  id: string,
  { hash, at }: { hash: Uint8Array<ArrayBuffer>; at: Date },
): Promise<void> {
  const data = { secret_hash: hash, verified_at: at, last_used_at: at, totp_secret: null }
  await sql.operator_sessions.update({ where: { id }, data, select: { id: true } })
}

export const sealedInSession = (id: string) => `operator_sessions|${id}|totp_secret`

/** Returns the secret in base32; null if no secret is set, or if the key that encrypted the secret is not configured. */
export async function openSessionSecret(sql: Sql, id: string): Promise<string | null> {
  const row = await sql.operator_sessions.findUnique({ where: { id }, select: { totp_secret: true } })
  return row?.totp_secret ? unsealIfOpenable(row.totp_secret, sealedInSession(id)) : null
}

export async function saveSessionSecret(sql: Sql, id: string, secret: string): Promise<void> {
  const data = { totp_secret: seal(secret, sealedInSession(id)) }
  await sql.operator_sessions.update({ where: { id }, data, select: { id: true } })
}

export async function endHalfSessions(sql: Sql, operatorId: string, at: Date): Promise<void> {
  const where = { operator_id: operatorId, verified_at: null, ended_at: null }
  await sql.operator_sessions.updateMany({ where, data: { ended_at: at, totp_secret: null } })
}

export async function confirmSession(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.operator_sessions.update({ where: { id }, data: { confirmed_at: at }, select: { id: true } })
}

export async function recordUse(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.operator_sessions.updateMany({ where: { id }, data: { last_used_at: at } })
}

export async function endSessions(
  sql: Sql,
  { operatorId, id }: { operatorId: string; id?: string },
  at: Date,
): Promise<number> {
  const where = { operator_id: operatorId, ended_at: null, ...(id !== undefined && { id }) }
  return (await sql.operator_sessions.updateMany({ where, data: { ended_at: at } })).count
}

export async function deleteOldSessions(sql: Sql): Promise<void> {
  await sql.$executeRaw`DELETE FROM password_resets WHERE expires_at < clock_timestamp() - interval '30 days'`
  await sql.$executeRaw`DELETE FROM member_invitations WHERE expires_at < clock_timestamp() - interval '30 days'`
  await sql.$executeRaw`DELETE FROM operator_sessions WHERE last_used_at < clock_timestamp() - interval '30 days'`
}

type Row = Awaited<ReturnType<Sql['operators']['findUniqueOrThrow']>>

const toOperator = (row: Row): Operator => ({
  id: row.id,
  email: row.email,
  passwordHash: row.password_hash,
  sealedTotpSecret: row.totp_secret,
  totpSince: row.totp_since,
  totpStep: row.totp_step,
  membership: row.merchant_id === null || row.role === null ? null : { merchantId: row.merchant_id, role: row.role },
  locale: row.locale,
})

type SessionRow = Awaited<ReturnType<Sql['operator_sessions']['findUniqueOrThrow']>>

const toSession = (row: SessionRow): OperatorSession => ({
  id: row.id,
  operatorId: row.operator_id,
  address: row.address,
  browser: row.browser,
  createdAt: row.created_at,
  verifiedAt: row.verified_at,
  confirmedAt: row.confirmed_at,
  lastUsedAt: row.last_used_at,
  endedAt: row.ended_at,
})
