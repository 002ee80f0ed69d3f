import { refuse } from '../../kernel/refusal.ts'
import { firstIdSince, prefixOf, removedKinds } from '../../modules/events/horizons.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { damaged } from './file.ts'

/**
 * Refuses a horizon in the future, and a horizon whose id does not match its time. A horizon applies to all storefronts
 * of the installation, and rows before a horizon are not searched.
 */
export function checkHorizon({ kind, before, before_id: beforeId }: Readonly<Record<string, string | null>>): void {
  const moment = momentOf(before ?? '')
  const of = removedKinds.find((each) => each === kind)
  if (!of) throw damaged()
  if (!(moment <= realNow())) throw refuse('horizon_in_future', 'in', `horizons.before is in the future: ${before}.`)
  if (firstIdSince(of, moment) !== `${prefixOf(of)}${beforeId}`)
    throw refuse('file_damaged', 'in', `horizons.before_id is not the id of the moment ${before}.`)
}

/** A time in PostgreSQL's format (2026-11-20 10:00:00+00) or in ISO 8601. Any other text gives an invalid date. */
const momentOf = (text: string): Date => new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
