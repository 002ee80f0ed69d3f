import { open } from 'node:fs/promises'
import { invalid } from '../kernel/refusal.ts'

/**
 * The text of a file with a secret, cut after `most` bytes. Refuses, on `field`, a path that cannot be read or is no
 * file.
 */
export async function readSecretFile(path: string, field: string, most: number): Promise<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw invalid(field, `Cannot be read (${error.code}).`)
  })
  try {
    if (!(await file.stat()).isFile()) throw invalid(field, 'Must be the path of a file.')
    const { bytesRead, buffer } = await file.read(Buffer.alloc(most))
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

const longestSecret = 4_096

/**
 * Replaces flags that name files with secrets (`password-file`) by the secrets, because other users could read a
 * command line.
 */
export async function withSecrets(flags: Readonly<Record<string, string>>, secrets: readonly string[]) {
  const values: Record<string, string> = { ...flags }
  for (const name of secrets) {
    const file = `${name}-file`
    const path = values[file]
    if (path === undefined) continue
    delete values[file]
    const secret = (await readSecretFile(path, file, longestSecret)).replace(/\r?\n$/, '')
    if (secret === '') throw invalid(file, 'Holds nothing.')
    values[name] = secret
  }
  return values
}
