import { createHash } from 'node:crypto'
import { seal, unseal } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { cookieOf, sessionCookie } from '../../platform/http/cookies.ts'

/**
 * Browsers that an account knows from an earlier sign-in. Other browsers cannot lock a known browser out. The cookie
 * gives no access, and only its hash is stored. The cookie is encrypted, so that an invented cookie causes no query.
 */

const deviceCookie = '__Host-billhook-device'
const place = 'operator device'
const keptSeconds = 180 * 24 * 60 * 60
/** More browsers than a person signs in with. */
const mostDevices = 20

const hashOf = (secret: string) => new Uint8Array(createHash('sha256').update(secret).digest())

/** The hash of the secret in the cookie of a browser. Null without a cookie of ours. */
function deviceIn(cookies: string | null): Uint8Array<ArrayBuffer> | null {
  const sealed = cookieOf(cookies, deviceCookie)
  if (!sealed) return null
  try {
    return hashOf(unseal(Buffer.from(sealed, 'base64url'), place))
  } catch {
    return null // The cookie was not encrypted here, or its key is no longer set.
  }
}

/**
 * The hash, in hexadecimal, of a browser that the account with an address knows. Null for any other browser and for an address without
 * an account, after the same query. `isFull`: only if both factors were given with it.
 */
export async function knownDevice(
  sql: Sql,
  { email, cookies, isFull }: { email: string; cookies: string | null; isFull: boolean },
): Promise<string | null> {
  const hash = deviceIn(cookies)
  if (!hash) return null
  const where = { hash, operator: { email }, ...(isFull && { is_verified: true }) }
  const row = await sql.operator_devices.findFirst({ where, select: { hash: true } })
  return row && Buffer.from(hash).toString('hex')
}

interface Remembered {
  readonly operatorId: string
  readonly cookies: string | null
  /** Whether both factors were given. A new password alone does not exempt the browser from the limit on codes. */
  readonly isVerified: boolean
  readonly now: Date
}

/**
 * Records the browser as known to the account. Each sign-in makes a new secret, also for the other accounts that know
 * the browser, so a copied cookie is useless after the next sign-in. Returns the cookie.
 */
export async function rememberDevice(sql: Sql, { operatorId, cookies, isVerified, now }: Remembered): Promise<string> {
  const { secret } = newSecret()
  const hash = hashOf(secret)
  const before = deviceIn(cookies)
  if (before) {
    await sql.operator_devices.deleteMany({ where: { hash: before, operator_id: operatorId } })
    await sql.operator_devices.updateMany({ where: { hash: before }, data: { hash } })
  }
  const data = { hash, operator_id: operatorId, is_verified: isVerified, used_at: now }
  await sql.operator_devices.create({ data, select: { hash: true } })
  await sql.$executeRaw`
    DELETE FROM operator_devices WHERE operator_id = ${operatorId} AND hash NOT IN (
      SELECT hash FROM operator_devices WHERE operator_id = ${operatorId} ORDER BY used_at DESC, hash LIMIT ${mostDevices})`
  const sealed = Buffer.from(seal(secret, place)).toString('base64url')
  return `${sessionCookie(deviceCookie, sealed, 'Strict')}; Max-Age=${keptSeconds}`
}

/** Forgets all browsers of an account. */
export async function forgetDevices(sql: Sql, operatorId: string): Promise<void> {
  await sql.operator_devices.deleteMany({ where: { operator_id: operatorId } })
}

/** Forgets browsers without a sign-in during the lifetime of their cookie. */
export async function deleteOldDevices(sql: Sql): Promise<void> {
  await sql.$executeRaw`DELETE FROM operator_devices WHERE used_at < clock_timestamp() - interval '180 days'`
}
