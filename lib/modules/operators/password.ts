import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's minimum for argon2id, the library's default variant: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Normalizes Unicode, because two keyboards can encode the same letter differently. */
const normalized = (password: string): string => password.normalize('NFKC')

/** Whether a new password has an allowed length: 12 to 200 characters. */
export const isLongEnough = (password: string): boolean => password.length >= 12 && password.length <= 200

export const hashPassword = (password: string): Promise<string> => hash(normalized(password), cost)

/** Whether a password matches a hash. */
export const isPassword = (stored: string, password: string): Promise<boolean> => verify(stored, normalized(password))

let decoy: Promise<string> | undefined

/** Always false. Takes as long as a password check, so that the time does not reveal whether an account exists. */
export async function isNoPassword(password: string): Promise<false> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  await verify(await decoy, normalized(password))
  return false
}
