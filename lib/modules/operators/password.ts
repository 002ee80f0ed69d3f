import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** The minimum cost that OWASP recommends for argon2id, the default variant of the library. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Normalizes the password, because different keyboards can send different code points for the same letter. */
const normalized = (password: string): string => password.normalize('NFKC')

export const isLongEnough = (password: string): boolean => password.length >= 12 && password.length <= 200

export const hashPassword = (password: string): Promise<string> => hash(normalized(password), cost)

export const isPassword = (stored: string, password: string): Promise<boolean> => verify(stored, normalized(password))

let decoy: Promise<string> | undefined

/** Takes as long as a real check, so that the time does not reveal whether an account exists. Returns false. */
export async function isNoPassword(password: string): Promise<false> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  await verify(await decoy, normalized(password))
  return false
}
