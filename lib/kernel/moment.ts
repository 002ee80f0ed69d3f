/** Times in this file are `Date` values in whole seconds, in UTC. */

/** The last supported time of clocks, trials, and periods. */
export const endOfTime = new Date('2999-12-31T23:59:59Z')

export const wholeSecond = (moment: Date): Date => new Date(Math.floor(moment.getTime() / 1000) * 1000)

/** Formats a time as `YYYY-MM-DDTHH:MM:SSZ`. */
export const toWire = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`

const timestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/**
 * Parses an ISO 8601 timestamp with `Z` or an offset of up to 14 hours. Cuts off fractions of a second, which
 * JavaScript clients send as `.000`. Returns null for other texts, for 24:00 and leap seconds, and for a time after
 * `endOfTime`.
 */
export function parseMoment(text: string): Date | null {
  const [, second, offset] = timestamp.exec(text) ?? []
  if (second === undefined || offset === undefined) return null
  const local = new Date(`${second}Z`)
  if (Number.isNaN(local.getTime()) || toWire(local) !== `${second}Z`) return null
  const moment = new Date(second + offset)
  return moment > endOfTime ? null : moment
}

/** Midnight UTC of a day such as `2027-01-31`. Null for a day that does not exist or is after `endOfTime`. */
export const parseDay = (text: string): Date | null =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? parseMoment(`${text}T00:00:00Z`) : null
