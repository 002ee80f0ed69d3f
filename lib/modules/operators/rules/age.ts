export interface Age {
  readonly unit: 'minute' | 'hour' | 'day'
  readonly count: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Returns days if the age is at least two days, hours if it is at least two hours, and otherwise minutes. Rounds down. A future time has the age 0. */
export function ageOf(since: Date, now: Date): Age {
  const ms = Math.max(0, now.getTime() - since.getTime())
  if (ms >= 2 * dayMs) return { unit: 'day', count: Math.floor(ms / dayMs) }
  if (ms >= 2 * hourMs) return { unit: 'hour', count: Math.floor(ms / hourMs) }
  return { unit: 'minute', count: Math.floor(ms / minuteMs) }
}
