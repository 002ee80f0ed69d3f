interface Attempts {
  readonly succeeded: number
  readonly failed: number
}

export type HealthState = 'disabled' | 'unused' | 'failing' | 'working'

/** `disabled`: no events are enabled. `unused`: no attempt was made. `failing`: no attempt has succeeded since the last failure. */
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

/** Returns tenths of a percent from 0 to 1000, rounded down, so that 1000 means no failed attempt; null if no attempt was made. */
export function successRate({ succeeded, failed }: Attempts): number | null {
  const all = succeeded + failed
  return all === 0 ? null : Math.floor((succeeded * 1000) / all)
}
