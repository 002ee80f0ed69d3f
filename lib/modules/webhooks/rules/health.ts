/** The attempts in a time range. */
interface Attempts {
  readonly succeeded: number
  readonly failed: number
}

export type HealthState = 'disabled' | 'unused' | 'failing' | 'working'

/**
 * The state of an endpoint. `disabled`: it wants no events. `unused`: it has no attempts. `failing`: no attempt
 * has succeeded since the last failure.
 */
export function healthState({
  enabledEvents,
  lastSucceededAt,
  lastFailedAt,
}: {
  readonly enabledEvents: readonly string[]
  readonly lastSucceededAt: Date | null
  readonly lastFailedAt: Date | null
}): HealthState {
  if (enabledEvents.length === 0) return 'disabled'
  if (!lastFailedAt) return lastSucceededAt ? 'working' : 'unused'
  return lastSucceededAt && lastSucceededAt >= lastFailedAt ? 'working' : 'failing'
}

/**
 * The share of successful attempts in tenths of a percent, 0 to 1000; null without attempts. 1000 means that no attempt
 * failed.
 */
export function successRate({ succeeded, failed }: Attempts): number | null {
  const all = succeeded + failed
  return all === 0 ? null : Math.floor((succeeded * 1000) / all)
}
