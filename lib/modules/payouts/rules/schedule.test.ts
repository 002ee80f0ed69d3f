import { describe, expect, it } from 'vitest'
import { nameOfSchedule, nextTime, scheduleNamed, schedules } from './schedule.ts'

describe('schedule', () => {
  it.each([
    ['week-2', '2026-12-01T00:00:00Z', '2026-12-08'],
    ['week-2', '2026-11-30T23:59:59Z', '2026-12-01'],
    ['week-3', '2026-12-01T12:00:00Z', '2026-12-02'],
    ['week-1', '2026-12-01T12:00:00Z', '2026-12-07'],
    ['week-7', '2026-12-06T00:00:01Z', '2026-12-13'],
    ['week-7', '2026-12-30T00:00:00Z', '2027-01-03'],
    ['month-1', '2026-12-01T00:00:00Z', '2027-01-01'],
    ['month-15', '2026-12-14T23:59:59Z', '2026-12-15'],
    ['month-28', '2027-01-31T10:00:00Z', '2027-02-28'],
  ])('the next payout of the schedule %s after %s is on %s', (name, after, next) => {
    const schedule = scheduleNamed(name)
    expect(schedule && nextTime(schedule, new Date(after)).toISOString()).toBe(`${next}T00:00:00.000Z`)
  })

  it('scheduleNamed reverses nameOfSchedule, and returns undefined for an unknown name', () => {
    expect(schedules).toHaveLength(35)
    for (const each of schedules) expect(scheduleNamed(nameOfSchedule(each))).toBe(each)
    expect([scheduleNamed('manual'), nameOfSchedule(null)]).toEqual([null, 'manual'])
    for (const name of ['', 'week-0', 'week-8', 'month-29', 'day-1', 'month-01'])
      expect(scheduleNamed(name)).toBeUndefined()
  })
})
