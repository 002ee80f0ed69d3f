import { invalid } from '../kernel/refusal.ts'

/*
 * A form carries the version of what its page said that an act comes to, as `terms`, into the act, which says it again with
 * the subject locked: what was charged, changed or written off is what its person has read.
 */

/** Shown when the result of the action has changed since the page was loaded. */
export const changedMeanwhile =
  'Something has changed since this page was shown, so nothing was done. Here is what it comes to now.'

export const stale = () => invalid('terms', changedMeanwhile)
