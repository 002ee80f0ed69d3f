/** A moment is a `Date` at a whole second, in UTC. */

/** The last moment that the service counts to: clocks, trials and cycles end here. */
export const endOfTime = new Date('2999-12-31T23:59:59Z')

/** The whole second that a moment lies in. */
export const wholeSecond = (moment: Date): Date => new Date(Math.floor(moment.getTime() / 1000) * 1000)

/** `YYYY-MM-DDTHH:MM:SSZ`, without milliseconds. */
export const toWire = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`

const timestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|\+00:00)$/

/**
 * An ISO 8601 timestamp in UTC, or null. A fraction of a second is cut off: clients of JavaScript send `.000Z`. Null too for
 * a day or time that does not exist (30 February, 24:00, a leap second) and for a moment after `endOfTime`.
 */
export function parseMoment(text: string): Date | null {
  const [, second] = timestamp.exec(text) ?? []
  if (second === undefined) return null
  const moment = new Date(`${second}Z`)
  if (Number.isNaN(moment.getTime()) || toWire(moment) !== `${second}Z`) return null
  return moment > endOfTime ? null : moment
}
