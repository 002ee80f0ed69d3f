import { invalid } from '../kernel/refusal.ts'

/*
 * A form sends the version of the effect that its page showed, as `terms`. The action computes the effect again with
 * the subject locked. So the charge, change, or write-off is exactly what the person has read.
 */

/** Shown when the result of the action has changed since the page was loaded. */
export const changedMeanwhile =
  'Something has changed since this page was shown, so nothing was done. Here is what it comes to now.'

export const stale = () => invalid('terms', changedMeanwhile)
