import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's minimum for argon2id, the library's default variant: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Two keyboards may write the same letter in two ways. */
const normalized = (password: string): string => password.normalize('NFKC')

/** Whether a new password has a length that is allowed: 12 to 200 characters. */
export const isLongEnough = (password: string): boolean => password.length >= 12 && password.length <= 200

export const hashPassword = (password: string): Promise<string> => hash(normalized(password), cost)

/** Whether a password is the one of a hash. */
export const isPassword = (stored: string, password: string): Promise<boolean> => verify(stored, normalized(password))

let decoy: Promise<string> | undefined

/** Takes as long as the check of a password: the time must not show whether an account exists. Always false. */
export async function isNoPassword(password: string): Promise<false> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  await verify(await decoy, normalized(password))
  return false
}
