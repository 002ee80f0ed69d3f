/**
 * The generic cell rate algorithm, with one number per key: `arrival` is the moment at which the requests counted so
 * far would have arrived at an even rate. A request is refused if that moment is ahead of the clock by more than the
 * burst. Counted per process: with several processes, each grants the whole limit.
 */
export interface Verdict {
  readonly allowed: boolean
  /** Requests a minute. */
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the whole burst is available again. */
  readonly resetSeconds: number
  readonly retryAfterSeconds: number
}

export class RateLimiter {
  /** In order of last use. */
  private readonly arrivals = new Map<string, number>()

  /** Beyond `most` keys the least recently used key is dropped, so that memory stays bounded. */
  constructor(private readonly most = 100_000) {}

  /**
   * Counts one request. `nowMs` is real time. Allows `perMinute` requests at an even rate, in bursts of `burst` (two
   * seconds' share by default, at least 1); 0 allows everything.
   */
  take(key: string, perMinute: number, nowMs: number, burst = Math.max(1, Math.floor((2 * perMinute) / 60))): Verdict {
    if (perMinute === 0) return { allowed: true, limit: 0, remaining: 0, resetSeconds: 0, retryAfterSeconds: 0 }
    const paceMs = 60_000 / perMinute
    const arrival = Math.max(this.arrivals.get(key) ?? 0, nowMs)
    const ahead = arrival - nowMs
    const allowed = ahead <= (burst - 1) * paceMs + 1e-6
    const next = allowed ? arrival + paceMs : arrival
    this.keep(key, next)
    return {
      allowed,
      limit: perMinute,
      remaining: Math.max(0, Math.floor((burst * paceMs - (next - nowMs)) / paceMs + 1e-6)),
      resetSeconds: Math.ceil((next - nowMs) / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((ahead - (burst - 1) * paceMs) / 1000)),
    }
  }

  private keep(key: string, arrival: number): void {
    this.arrivals.delete(key)
    this.arrivals.set(key, arrival)
    if (this.arrivals.size <= this.most) return
    const [oldest] = this.arrivals.keys()
    if (oldest !== undefined) this.arrivals.delete(oldest)
  }
}
