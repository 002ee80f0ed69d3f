import { open } from 'node:fs/promises'
import { invalid } from '../kernel/refusal.ts'
import { checkedPassphrase, longestPassphrase } from '../workflows/transfer/passphrase.ts'

/** The passphrase in a file: on the command line others could read it. Refuses, on `passphraseFile`, what holds none. */
export async function readPassphrase(path: string): Promise<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw invalid('passphraseFile', `Cannot be read (${error.code}).`)
  })
  try {
    if (!(await file.stat()).isFile()) throw invalid('passphraseFile', 'Must be the path of a file.')
    // No more of it than shows that it is too long. A character has at most four bytes.
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4 * longestPassphrase + 3))
    return checkedPassphrase(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await file.close()
  }
}
