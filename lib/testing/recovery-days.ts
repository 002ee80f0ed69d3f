import { daysUntilEnd, type RecoveryKind, schedules } from '../modules/recovery/rules/schedule.ts'

/** Days of the recovery schedule, by its table: tests need no change when a wait is another one. */

const dayMs = 86_400_000

/** `2027-02-04` for `2027-02-01` and 3. */
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** After how many days a soft decline is charged again for the nth time. */
export function daysUntilRetry(nth = 1): number {
  const charges = schedules.soft.flatMap(({ does }, at) => (does === 'charge' ? [at] : []))
  return daysUntilEnd('soft', 0) - daysUntilEnd('soft', (charges[nth - 1] ?? Number.NaN) + 1)
}

/** The day on which a payment that was declined softly is charged again for the nth time. */
export const retryDay = (failedOn: string, nth = 1): string => dayAfter(failedOn, daysUntilRetry(nth))

/** The day on which a payment is written off. */
export const writtenOffDay = (failedOn: string, kind: RecoveryKind): string => dayAfter(failedOn, daysUntilEnd(kind, 0))

/** As emails in English write a day: `3 February 2027`. */
export const inWords = (day: string): string =>
  new Date(day).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })
