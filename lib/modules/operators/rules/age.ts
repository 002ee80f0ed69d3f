/** How long something waits, in its largest unit. */
export interface Age {
  readonly unit: 'minute' | 'hour' | 'day'
  readonly count: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** From two days on in days, from two hours on in hours, otherwise in minutes, rounded down. A moment to come counts as now. */
export function ageOf(since: Date, now: Date): Age {
  const ms = Math.max(0, now.getTime() - since.getTime())
  if (ms >= 2 * dayMs) return { unit: 'day', count: Math.floor(ms / dayMs) }
  if (ms >= 2 * hourMs) return { unit: 'hour', count: Math.floor(ms / hourMs) }
  return { unit: 'minute', count: Math.floor(ms / minuteMs) }
}
