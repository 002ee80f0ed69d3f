import { open } from 'node:fs/promises'
import { invalid } from '../kernel/refusal.ts'

/** Returns at most the first `most` bytes of a file, as text. Throws a Refusal on `field` if the path cannot be read or is not a file. */
export async function readSecretFile(path: string, field: string, most: number): Promise<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw invalid(field, `The file cannot be read (${error.code}).`)
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

/** Replaces each flag such as `password-file` with the flag `password`, whose value is the content of the file. */
export async function withSecrets(flags: Readonly<Record<string, string>>, secrets: readonly string[]) {
  const values: Record<string, string> = { ...flags }
  for (const name of secrets) {
    const file = `${name}-file`
    const path = values[file]
    if (path === undefined) continue
    delete values[file]
    const secret = (await readSecretFile(path, file, longestSecret)).replace(/\r?\n$/, '')
    if (secret === '') throw invalid(file, 'The file must not be empty.')
    values[name] = secret
  }
  return values
}
