import { createHash } from 'node:crypto'
import { seal, unseal } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { cookieOf, sessionCookie } from '../../platform/http/cookies.ts'

/**
 * This file records the browsers that an account knows from earlier sign-ins. Attempts in unknown browsers cannot lock
 * a known browser. A cookie identifies a known browser but gives no access. The cookie is encrypted, so that a forged
 * cookie causes no query.
 */

const deviceCookie = '__Host-billhook-device'
const place = 'operator device'
const keptSeconds = 180 * 24 * 60 * 60
const mostDevices = 20

const hashOf = (secret: string) => new Uint8Array(createHash('sha256').update(secret).digest())

function deviceIn(cookies: string | null): Uint8Array<ArrayBuffer> | null {
  const sealed = cookieOf(cookies, deviceCookie)
  if (!sealed) return null
  try {
    return hashOf(unseal(Buffer.from(sealed, 'base64url'), place))
  } catch {
    return null
  }
}

/**
 * Returns the hash (hexadecimal) of the browser's secret if the account knows the browser, otherwise null. An email address without an account causes the same
 * query. If `isFull` is set, both factors must have been entered in the browser.
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
  /** Whether both factors were entered in the browser. If false, the limit on codes treats the browser as unknown. */
  readonly isVerified: boolean
  readonly now: Date
}

/**
 * Each sign-in creates a new secret for all accounts that know the browser, so that a copied cookie becomes useless.
 * Returns the `set-cookie` value.
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

export async function forgetDevices(sql: Sql, operatorId: string): Promise<void> {
  await sql.operator_devices.deleteMany({ where: { operator_id: operatorId } })
}

export async function deleteOldDevices(sql: Sql): Promise<void> {
  await sql.$executeRaw`DELETE FROM operator_devices WHERE used_at < clock_timestamp() - interval '180 days'`
}
