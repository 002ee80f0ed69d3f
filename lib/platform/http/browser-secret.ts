import { createHash, randomBytes } from 'node:crypto'
import { cookieOf } from './cookies.ts'

/** Creates a secret of 256 bits for a browser or a link. Store only its hash. */
export function newSecret(): { secret: string; hash: Uint8Array<ArrayBuffer> } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: sha256(secret) }
}

export function secretHashIn(cookies: string | null, name: string): Uint8Array<ArrayBuffer> | null {
  const secret = cookieOf(cookies, name)
  return secret === null ? null : secretHash(secret)
}

export const secretHash = (secret: string): Uint8Array<ArrayBuffer> | null =>
  /^[\w-]{43}$/.test(secret) ? sha256(secret) : null

const sha256 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(text).digest())
