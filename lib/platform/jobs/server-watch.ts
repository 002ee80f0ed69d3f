import type { Choice } from './task-runner.ts'

/**
 * Watches a task server (Inngest). The server counts as unavailable (`away`) after eight seconds in which it was
 * unreachable or started none of its waiting tasks. If the outage lasts longer, this process runs tasks itself. The
 * server is used again when it starts a probe or, if only the registration of our functions failed, when a later
 * registration succeeds.
 */

const noticeMs = 8_000
/** If the server starts no task for this time, it may have lost its state. This process then registers the functions again and sends a probe. */
const suspectMs = 4_000
const sayEveryMs = 60_000

export interface Seen {
  readonly now: number
  /** The beginning of the stall: since then, tasks wait and the server has started none of them. Null if no task waits. */
  readonly stalledSince: number | null
}

export type Asked = 'to register' | 'to run tasks'

/** Times are in milliseconds of one monotonic clock. */
export class ServerWatch {
  private readonly failures = new Map<Asked, { readonly since: number; readonly reason: string }>()
  private awaySince: number | null = null
  /** Whether tasks were delayed. If so, only a probe proves that the server works. */
  private heldUpTasks = false
  private runsHere = false
  private readonly saidAt = new Map<string, number>()

  /** `fallbackMs`: milliseconds of an outage after which this process runs tasks; null means never. */
  constructor(private readonly fallbackMs: number | null) {}

  /** A server that accepts tasks knows our functions, so an earlier failure to register the functions no longer counts. */
  reached(asked: Asked): void {
    if (asked === 'to run tasks') this.failures.clear()
    else this.failures.delete(asked)
  }

  failed(now: number, asked: Asked, reason: string): void {
    const since = this.failures.get(asked)?.since ?? now
    this.failures.delete(asked)
    this.failures.set(asked, { since, reason })
  }

  began(): void {
    this.failures.clear()
    this.isBack()
  }

  /** Returns a reason to log, or null. Each reason is logged immediately, and then every minute. */
  toSay(now: number): string | null {
    const reason = this.failure ?? this.away(now)?.reason
    for (const [said, at] of this.saidAt) if (now - at >= sayEveryMs) this.saidAt.delete(said)
    if (reason === undefined || this.saidAt.has(reason)) return null
    this.saidAt.set(reason, now)
    return reason
  }

  choose({ now, stalledSince }: Seen): Choice {
    const since = Math.min(...[...this.failures.values()].map((each) => each.since), stalledSince ?? now)
    const isAway = now - since >= Math.min(noticeMs, this.fallbackMs ?? noticeMs)
    if (isAway) {
      this.awaySince ??= since
      this.heldUpTasks ||= this.failures.has('to run tasks') || stalledSince !== null
    } else if (!this.runsHere || !this.heldUpTasks) this.isBack()
    if (this.awaySince !== null && this.fallbackMs !== null && now - this.awaySince >= this.fallbackMs)
      this.runsHere = true
    return this.runsHere ? 'run here' : 'hand over'
  }

  isSuspect({ now, stalledSince }: Seen): boolean {
    return this.awaySince !== null || this.failures.size > 0 || isStalled({ now, stalledSince })
  }

  private isBack(): void {
    this.awaySince = null
    this.heldUpTasks = false
    this.runsHere = false
  }

  private get failure(): string | undefined {
    return [...this.failures.values()].at(-1)?.reason
  }

  away(now: number): { readonly seconds: number; readonly reason: string } | null {
    if (this.awaySince === null) return null
    return { seconds: Math.round((now - this.awaySince) / 1000), reason: this.failure ?? 'starts no task' }
  }
}

export const isStalled = ({ now, stalledSince }: Seen): boolean =>
  stalledSince !== null && now - stalledSince >= suspectMs
