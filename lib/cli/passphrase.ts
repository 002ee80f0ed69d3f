import { checkedPassphrase, longestPassphrase } from '../workflows/transfer/passphrase.ts'
import { readSecretFile } from './secret-file.ts'

/**
 * The passphrase in a file, because other users could read it on the command line. Refuses an invalid passphrase on
 * `passphraseFile`.
 */
export const readPassphrase = async (path: string): Promise<string> =>
  // Reads only enough to detect a passphrase that is too long. A character has at most four bytes.
  checkedPassphrase(await readSecretFile(path, 'passphraseFile', 4 * longestPassphrase + 3))
