import { checkedPassphrase, longestPassphrase } from '../workflows/transfer/passphrase.ts'
import { readSecretFile } from './secret-file.ts'

/** The passphrase in a file: on the command line others could read it. Refuses, on `passphraseFile`, what holds none. */
export const readPassphrase = async (path: string): Promise<string> =>
  // No more of it than shows that it is too long. A character has at most four bytes.
  checkedPassphrase(await readSecretFile(path, 'passphraseFile', 4 * longestPassphrase + 3))
