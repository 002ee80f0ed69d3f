import { db } from '../../platform/db/db.ts'
import { type LogoExtension, logoTypes } from './rules/logo.ts'
import { logoBytes } from './store.ts'

export interface LogoFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly hash: string
}

type Load = (name: string) => Promise<LogoFile | null>

/** Returns `load` with a cache of the `most` logos that were requested last. Concurrent requests for a logo share one call of `load`. */
export function cachedLogos(load: Load, most = 32): Load {
  const recent = new Map<string, LogoFile>()
  const loading = new Map<string, Promise<LogoFile | null>>()

  function keep(name: string, file: LogoFile): LogoFile {
    recent.delete(name)
    recent.set(name, file)
    const [oldest] = recent.keys()
    if (recent.size > most && oldest !== undefined) recent.delete(oldest)
    return file
  }

  async function loadAndKeep(name: string): Promise<LogoFile | null> {
    const file = await load(name)
    return file && keep(name, file)
  }

  return async (name) => {
    const known = recent.get(name)
    if (known) return keep(name, known)
    const underway = loading.get(name)
    if (underway) return underway
    const begun = loadAndKeep(name)
    loading.set(name, begun)
    return begun.finally(() => loading.delete(name))
  }
}

/** Returns the logo with a file name such as `<hash>.png`, or null if no such logo is stored. */
export const logoFile: Load = cachedLogos(async (name) => {
  const [, hash, extension] = /^([0-9a-f]{64})\.(png|jpg)$/.exec(name) ?? []
  if (hash === undefined) return null
  const bytes = await logoBytes(db(), hash, extension as LogoExtension)
  return bytes && { bytes, type: logoTypes[extension as LogoExtension], hash }
})
