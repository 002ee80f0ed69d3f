import { refuse } from '../../kernel/refusal.ts'
import { firstIdSince, prefixOf, removedKinds } from '../../modules/events/horizons.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { damaged } from './file.ts'

/**
 * Checks an imported retention horizon, which is the time and the id up to which old rows were removed. The horizon
 * applies to all storefronts, so its time must not be in the future, and its id must match its time.
 */
export function checkHorizon({ kind, before, before_id: beforeId }: Readonly<Record<string, string | null>>): void {
  const moment = momentOf(before ?? '')
  const of = removedKinds.find((each) => each === kind)
  if (!of) throw damaged()
  if (!(moment <= realNow())) throw refuse('horizon_in_future', 'in', `horizons.before is in the future: ${before}.`)
  if (firstIdSince(of, moment) !== `${prefixOf(of)}${beforeId}`)
    throw refuse('file_damaged', 'in', `horizons.before_id is not the id of the moment ${before}.`)
}

/** Parses a time in PostgreSQL's format (2026-11-20 10:00:00+00) or in ISO 8601. Any other text gives an invalid date. */
const momentOf = (text: string): Date => new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
