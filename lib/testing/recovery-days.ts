import { daysUntilEnd, type RecoveryKind, schedules } from '../modules/recovery/rules/schedule.ts'

/**
 * This file computes dates from the table of the recovery schedule, so that a changed waiting time in the table does
 * not break the tests.
 */

const dayMs = 86_400_000

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

export function daysUntilRetry(nth = 1): number {
  const charges = schedules.soft.flatMap(({ does }, at) => (does === 'charge' ? [at] : []))
  return daysUntilEnd('soft', 0) - daysUntilEnd('soft', (charges[nth - 1] ?? Number.NaN) + 1)
}

export const retryDay = (failedOn: string, nth = 1): string => dayAfter(failedOn, daysUntilRetry(nth))

export const writtenOffDay = (failedOn: string, kind: RecoveryKind): string => dayAfter(failedOn, daysUntilEnd(kind, 0))

export const inWords = (day: string): string =>
  new Date(day).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })
