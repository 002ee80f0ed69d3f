import { createHash } from 'node:crypto'

export const versionOf = (content: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(content, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    .digest('base64url')
