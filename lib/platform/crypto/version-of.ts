import { createHash } from 'node:crypto'

/** Identifies a content: another content has another version. Amounts may be in minor units. */
export const versionOf = (content: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(content, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    .digest('base64url')
