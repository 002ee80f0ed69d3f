import { createHmac, randomBytes, scrypt } from 'node:crypto'
import { invalid } from '../../kernel/refusal.ts'
import { isSealedWith, sealWith, unsealWith } from '../../platform/crypto/sealed.ts'

/** The key encrypts the secrets in a file, and proves that nobody without the passphrase changed the file. */
export interface FileKey {
  seal(plain: string, place: string): Uint8Array
  /** Throws if the value was changed, or was encrypted with another passphrase or for another `place` (table, row, and column). */
  unseal(sealed: Uint8Array, place: string): string
  isMine(sealed: Uint8Array): boolean
  mac(hash: string): string
}

/** The parameters are from OWASP's password storage cheat sheet: scrypt with N = 2^17, r = 8, p = 1, which needs 128 MB. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }
const fewest = 16
export const longestPassphrase = 1024

export const newSalt = (): string => randomBytes(16).toString('base64')

/**
 * Returns the passphrase without the line break at its end. Refuses a passphrase that is too short or too long, with `validation_failed` on
 * `passphraseFile`.
 */
export function checkedPassphrase(text: string): string {
  const passphrase = text.replace(/\r?\n$/, '')
  if (passphrase.length < fewest || passphrase.length > longestPassphrase)
    throw invalid('passphraseFile', `Must have ${fewest} to ${longestPassphrase.toLocaleString('en')} characters.`)
  return passphrase
}

export async function fileKey(passphrase: string, salt: string): Promise<FileKey> {
  const bytes = await new Promise<Buffer>((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), 64, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
  return keyFrom(bytes)
}

export function keyFrom(bytes: Buffer): FileKey {
  const [sealing, signing] = [bytes.subarray(0, 32), bytes.subarray(32)]
  return {
    seal: (plain, place) => sealWith(sealing, plain, place),
    unseal: (sealed, place) => unsealWith(sealing, sealed, place),
    isMine: (sealed) => isSealedWith(sealing, sealed),
    mac: (hash) => createHmac('sha256', signing).update(hash).digest('hex'),
  }
}
