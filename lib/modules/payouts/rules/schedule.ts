export interface PayoutSchedule {
  readonly every: 'week' | 'month'
  /** The day of the week (1 is Monday), or of the month (at most 28, so that every month has this day). */
  readonly day: number
}

const days = (every: PayoutSchedule['every'], most: number): PayoutSchedule[] =>
  Array.from({ length: most }, (_, index) => ({ every, day: index + 1 }))

export const schedules: readonly PayoutSchedule[] = [...days('week', 7), ...days('month', 28)]

/** The name in forms and on the command line: `week-1`, `month-15`, or `manual` without a schedule. */
export const nameOfSchedule = (schedule: PayoutSchedule | null): string =>
  schedule ? `${schedule.every}-${schedule.day}` : 'manual'

/** Returns the schedule with this name: null for `manual`, and undefined for an unknown name. */
export const scheduleNamed = (name: string): PayoutSchedule | null | undefined =>
  name === 'manual' ? null : schedules.find((each) => nameOfSchedule(each) === name)

/** Returns the start, in UTC, of the first scheduled day after `after`. */
export function nextTime({ every, day }: PayoutSchedule, after: Date): Date {
  const [year, month, date] = [after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate()]
  if (every === 'month') return new Date(Date.UTC(year, month + (date < day ? 0 : 1), day))
  const ahead = (day - after.getUTCDay() + 7) % 7
  return new Date(Date.UTC(year, month, date + (ahead === 0 ? 7 : ahead)))
}
