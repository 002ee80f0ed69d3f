export interface Verdict {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the full burst is available. */
  readonly resetSeconds: number
  readonly retryAfterSeconds: number
}

export interface Used {
  readonly key: string
  readonly requests: number
  readonly paceMs: number
  readonly burstMs: number
}

interface Count {
  arrival: number
  /** The number of requests since the last report to other processes; zero after the full burst is available again. */
  unreported: number
}

/** A process reports a key to other processes after this fraction of the key's burst is used. */
const reportedFrom = 1 / 8
/**
 * If the clock goes back by at most this number of milliseconds, the counts do not change, because the clocks of two
 * processors can differ slightly.
 */
const putBackMs = 1_000

/**
 * The generic cell rate algorithm stores one timestamp per key: `arrival`, the time by which the counted requests would have arrived at an even rate. A request
 * is refused if `arrival` would be ahead of the clock by more than the time that a full burst takes at this rate.
 */
export class RateLimiter {
  private readonly counts = new Map<string, Count>()
  private readonly toReport = new Map<string, Pick<Used, 'paceMs' | 'burstMs'>>()
  private newestMs = 0

  constructor(private readonly most = 100_000) {}

  /**
   * Counts a request at `nowMs` (real time). By default, `burst` is the number of requests that the limit allows in two
   * seconds, but at least one. A limit of 0 allows all requests.
   */
  take(key: string, perMinute: number, nowMs: number, burst = Math.max(1, Math.floor((2 * perMinute) / 60))): Verdict {
    if (perMinute === 0) return { allowed: true, limit: 0, remaining: 0, resetSeconds: 0, retryAfterSeconds: 0 }
    const paceMs = 60_000 / perMinute
    this.follow(nowMs)
    const { arrival, unreported } = this.countOf(key, nowMs)
    const ahead = arrival - nowMs
    const allowed = ahead <= (burst - 1) * paceMs + 1e-6
    const next = allowed ? arrival + paceMs : arrival
    this.keep(key, { arrival: next, unreported: unreported + (allowed ? 1 : 0) })
    if (allowed && next - nowMs > burst * paceMs * reportedFrom)
      this.toReport.set(key, { paceMs, burstMs: burst * paceMs })
    return {
      allowed,
      limit: perMinute,
      remaining: Math.max(0, Math.floor((burst * paceMs - (next - nowMs)) / paceMs + 1e-6)),
      resetSeconds: Math.ceil((next - nowMs) / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((ahead - (burst - 1) * paceMs) / 1000)),
    }
  }

  /** Returns and clears the counts of up to `most` keys for a report to other processes. */
  report(most: number): Used[] {
    const used: Used[] = []
    for (const [key, rate] of this.toReport) {
      if (used.length === most) break
      this.toReport.delete(key)
      const count = this.counts.get(key)
      if (!count || count.unreported === 0) continue
      used.push({ key, requests: count.unreported, ...rate })
      count.unreported = 0
    }
    return used
  }

  reportLater({ key, requests, paceMs, burstMs }: Used): void {
    const count = this.counts.get(key)
    if (!count) return
    count.unreported += requests
    this.toReport.set(key, { paceMs, burstMs })
  }

  /** Adopts the total count of a key in all processes, including this process. `aheadMs`: how far the shared `arrival` is ahead of the clock. */
  learn(key: string, paceMs: number, aheadMs: number, nowMs: number): void {
    this.follow(nowMs)
    const count = this.counts.get(key)
    if (count) count.arrival = Math.max(count.arrival, nowMs + aheadMs + count.unreported * paceMs)
  }

  /** If the clock was set back, moves each `arrival` back by the same time. Otherwise keys would be blocked until the clock reaches its old time. */
  private follow(nowMs: number): void {
    const backMs = this.newestMs - nowMs
    if (backMs > putBackMs) for (const count of this.counts.values()) count.arrival -= backMs
    this.newestMs = backMs > putBackMs ? nowMs : Math.max(this.newestMs, nowMs)
  }

  private countOf(key: string, nowMs: number): Count {
    const known = this.counts.get(key)
    return known && known.arrival > nowMs ? known : { arrival: nowMs, unreported: 0 }
  }

  private keep(key: string, count: Count): void {
    this.counts.delete(key)
    this.counts.set(key, count)
    if (this.counts.size <= this.most) return
    const [oldest] = this.counts.keys()
    if (oldest === undefined) return
    this.counts.delete(oldest)
    this.toReport.delete(oldest)
  }
}
