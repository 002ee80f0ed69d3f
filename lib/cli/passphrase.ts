import { checkedPassphrase, longestPassphrase } from '../workflows/transfer/passphrase.ts'
import { readSecretFile } from './secret-file.ts'

/** Refuses an invalid passphrase with an error on `passphraseFile`. */
export const readPassphrase = async (path: string): Promise<string> =>
  // Reads four bytes (the maximum in UTF-8) for each allowed character, two bytes for a line break, and one more byte.
  // The additional byte lets `checkedPassphrase` recognize a passphrase that is too long.
  checkedPassphrase(await readSecretFile(path, 'passphraseFile', 4 * longestPassphrase + 3))
