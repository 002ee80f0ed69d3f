/**
 * The generic cell rate algorithm, with one number per key. `arrival` is the time at which the requests counted so far
 * would have arrived at an even rate. A request is refused if that time is ahead of the clock by more than the burst.
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

export interface Used {
  readonly key: string
  readonly requests: number
  readonly paceMs: number
  /** How long it takes until a whole burst is available again. */
  readonly burstMs: number
}

interface Count {
  arrival: number
  /** Requests since the last report; zero once the whole burst is available again. */
  unreported: number
}

/** A key that has used more than this part of its burst is reported to other processes. */
const reportedFrom = 1 / 8
/** A larger step back means that the clock was set. Processors differ by less. */
const putBackMs = 1_000

export class RateLimiter {
  /** In order of last use. */
  private readonly counts = new Map<string, Count>()
  private readonly toReport = new Map<string, Pick<Used, 'paceMs' | 'burstMs'>>()
  private newestMs = 0

  /** Beyond `most` keys the least recently used key is dropped, so that memory stays bounded. */
  constructor(private readonly most = 100_000) {}

  /** `nowMs` is real time. Allows `perMinute`, in bursts of `burst` (by default two seconds' share); 0 is no limit. */
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

  /** Takes the counts to report to other processes, for at most `most` keys. The rest is reported later. */
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

  /** Records that all processes together are `aheadMs` ahead with a key, including the reports of this process. */
  learn(key: string, paceMs: number, aheadMs: number, nowMs: number): void {
    this.follow(nowMs)
    const count = this.counts.get(key)
    if (count) count.arrival = Math.max(count.arrival, nowMs + aheadMs + count.unreported * paceMs)
  }

  /** Moves the counts back with the clock: otherwise each key would be refused until the old time is reached again. */
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
