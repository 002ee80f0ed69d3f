import { type Service, serviceProblems } from './service-problems.ts'

/** How many requests may fail in a row before none is sent for a while. */
const mostFailures = 5
const pauseMs = 5_000
const mostPauseMs = 60_000

/**
 * What this process knows of a service from its own requests. A service that is away is left alone for moments, so that
 * callers learn at once what they would otherwise wait for. `service`: what is reported to all processes; null for nothing.
 */
export class Connection {
  private failures = 0
  private pausedUntil = 0

  constructor(private readonly service: Service | null) {}

  /** The milliseconds for which nothing is to be sent; 0: it may be asked. */
  pause(now: Date): number {
    return Math.max(0, this.pausedUntil - now.getTime())
  }

  answered(): void {
    this.failures = 0
    this.pausedUntil = 0
    if (this.service) serviceProblems().resolve(this.service)
  }

  /** `retryAfterMs`: the service said itself how long it wants to be left alone. */
  failed(now: Date, problem: string, retryAfterMs: number | null = null): void {
    this.failures++
    if (this.service) serviceProblems().report(this.service, problem)
    if (retryAfterMs === null && this.failures < mostFailures) return
    this.pausedUntil = now.getTime() + Math.min(retryAfterMs ?? pauseMs, mostPauseMs)
  }
}
