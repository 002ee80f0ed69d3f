import { type Service, serviceProblems } from './service-problems.ts'

/** After this many failures in a row no request is sent for a while. */
const mostFailures = 5
const pauseMs = 5_000
const mostPauseMs = 60_000

/**
 * What this process knows about a service from its own requests. A failing service gets no requests for a while, so
 * that callers fail fast. `service`: the name reported to all processes; null for no report.
 */
export class Connection {
  private failures = 0
  private pausedUntil = 0

  constructor(private readonly service: Service | null) {}

  /** The milliseconds during which no request may be sent; 0 if the service may be called. */
  pause(now: Date): number {
    return Math.max(0, this.pausedUntil - now.getTime())
  }

  answered(): void {
    this.failures = 0
    this.pausedUntil = 0
    if (this.service) serviceProblems().resolve(this.service)
  }

  /** `retryAfterMs`: how long the service itself asked not to be called. */
  failed(now: Date, problem: string, retryAfterMs: number | null = null): void {
    this.failures++
    if (this.service) serviceProblems().report(this.service, problem)
    if (retryAfterMs === null && this.failures < mostFailures) return
    this.pausedUntil = now.getTime() + Math.min(retryAfterMs ?? pauseMs, mostPauseMs)
  }
}
