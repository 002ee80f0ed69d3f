import { type Service, serviceProblems } from './service-problems.ts'

const mostFailures = 5
const pauseMs = 5_000
const mostPauseMs = 60_000

/**
 * Pauses requests to a service that fails, so that callers fail fast. `service`: the name under which the problem is
 * reported to all processes; null for no report.
 */
export class Connection {
  private failures = 0
  private pausedUntil = 0

  constructor(private readonly service: Service | null) {}

  pause(now: Date): number {
    return Math.max(0, this.pausedUntil - now.getTime())
  }

  answered(): void {
    this.failures = 0
    this.pausedUntil = 0
    if (this.service) serviceProblems().resolve(this.service)
  }

  /** `retryAfterMs`: the milliseconds in the service's Retry-After header. */
  failed(now: Date, problem: string, retryAfterMs: number | null = null): void {
    this.failures++
    if (this.service) serviceProblems().report(this.service, problem)
    if (retryAfterMs === null && this.failures < mostFailures) return
    this.pausedUntil = now.getTime() + Math.min(retryAfterMs ?? pauseMs, mostPauseMs)
  }
}
