import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's minimum for argon2id, the library's default variant: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Two keyboards may write the same letter in two ways. */
const normalized = (password: string): string => password.normalize('NFKC')

/** Whether a new password has a length that is allowed: 12 to 200 characters. */
export const isLongEnough = (password: string): boolean => password.length >= 12 && password.length <= 200

export const hashPassword = (password: string): Promise<string> => hash(normalized(password), cost)

/** Whether a password is the one of a hash, by argon2id or, for an older hash, by scrypt. */
export function isPassword(stored: string, password: string): Promise<boolean> {
  return stored.startsWith('scrypt$') ? isScrypt(stored, password) : verify(stored, normalized(password))
}

/** Whether a hash is to be made anew at the next log-in. */
export const isOutdated = (stored: string): boolean => stored.startsWith('scrypt$')

let decoy: Promise<string> | undefined

/** Takes as long as the check of a password: the time must not show whether an account exists. Always false. */
export async function isNoPassword(password: string): Promise<false> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  await verify(await decoy, normalized(password))
  return false
}

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

/** `scrypt$N$r$p$salt$hash`, the last two in base64url. */
async function isScrypt(stored: string, password: string): Promise<boolean> {
  const [, n, r, p, salt = '', made = ''] = stored.split('$')
  const expected = Buffer.from(made, 'base64url')
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: 256 * 1024 * 1024 }
  const given = await derive(normalized(password), Buffer.from(salt, 'base64url'), expected.length, cost)
  return timingSafeEqual(given, expected)
}
