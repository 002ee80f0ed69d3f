import { createHash } from 'node:crypto'

/** `bigint` amounts in minor units are allowed. */
export const versionOf = (content: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(content, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    .digest('base64url')
