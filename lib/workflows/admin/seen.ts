import { createHash } from 'node:crypto'
import { invalid } from '../../kernel/refusal.ts'

/**
 * Identifies what a page said that an act comes to. Its form carries it as `terms` into the act, which says it again with the
 * subject locked: what was charged, changed or written off is what its person has read.
 */
export const versionOf = (shown: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(shown, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    .digest('base64url')

/** What is said where it comes to something else by now. */
export const changedMeanwhile =
  'Something has changed since this page was shown, so nothing was done. Here is what it comes to now.'

export const stale = () => invalid('terms', changedMeanwhile)
