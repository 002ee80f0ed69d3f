import { db } from '../../platform/db/db.ts'
import { type LogoExtension, logoTypes } from './rules/logo.ts'
import { logoBytes } from './store.ts'

export interface LogoFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly hash: string
}

/** A cache of the logos that were loaded last, so that most requests for a logo need no query. */
const recent = new Map<string, LogoFile>()

const mostRecent = 32

export async function logoFile(name: string): Promise<LogoFile | null> {
  const [, hash, extension] = /^([0-9a-f]{64})\.(png|jpg)$/.exec(name) ?? []
  if (hash === undefined) return null
  const known = recent.get(name)
  if (known) return known
  const bytes = await logoBytes(db(), hash, extension as LogoExtension)
  if (!bytes) return null
  const file = { bytes, type: logoTypes[extension as LogoExtension], hash }
  recent.set(name, file)
  const [oldest] = recent.keys()
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest)
  return file
}
