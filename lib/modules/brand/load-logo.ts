import { db } from '../../platform/db/db.ts'
import { type LogoExtension, logoTypes } from './rules/logo.ts'
import { logoBytes } from './store.ts'

/** A logo as a file. Its hash names its content. */
export interface LogoFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly hash: string
}

/** Logos that were asked for lately, so that a page that many open at once asks the database once. */
const recent = new Map<string, LogoFile>()

const mostRecent = 32

/** The logo with a file name such as `<hash>.png`; null if no storefront has it. */
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
