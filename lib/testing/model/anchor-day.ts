import type { Subscription, Terms } from './world.ts'

/**
 * Returns the anchor after a change of the interval, and the number of cycles from the anchor to `due`. If the month of
 * `due` is too short for the anchor day (such as the 31st), the anchor lies in an earlier, longer month.
 */
export function anchorOfInterval(
  { anchor: before, terms: was }: Pick<Subscription, 'anchor' | 'terms'>,
  due: Date,
  terms: Terms,
): [Date, number] {
  const ofMonths = [was, terms].every(({ interval }) => interval === 'month' || interval === 'year')
  const day = before.getUTCDate()
  let [anchor, back] = [due, 0]
  const months = terms.intervalCount * (terms.interval === 'year' ? 12 : 1)
  for (let n = 1; ofMonths && anchor.getUTCDate() < day && n * months <= 96; n++) {
    const year = due.getUTCFullYear()
    const month = due.getUTCMonth() - n * months
    const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    const time = due.getTime() % 86_400_000
    const earlier = new Date(Date.UTC(year, month, Math.min(day, last)) + time)
    if (earlier.getUTCDate() > anchor.getUTCDate()) [anchor, back] = [earlier, n]
  }
  return [anchor, back]
}
