import type { Choice } from './task-runner.ts'

/**
 * Whether a task server runs its tasks. It is away if for eight seconds it could not be reached, or began none of its
 * waiting tasks. If it stays away, this process runs tasks itself. A server that may be away is asked to begin a probe
 * every few seconds. It is back when it begins a probe, or when its failed registration succeeds.
 */

const noticeMs = 8_000
/** A server that begins nothing for this long may have lost its state. It is registered and probed. */
const suspectMs = 4_000
const sayEveryMs = 60_000

export interface Seen {
  readonly now: number
  /** Since when the server has begun no task although some wait; null if none waits. */
  readonly stalledSince: number | null
}

export type Asked = 'to register' | 'to run tasks'

/** Times are in milliseconds of any one clock. */
export class ServerWatch {
  /** The requests that last failed, newest last. */
  private readonly failures = new Map<Asked, { readonly since: number; readonly reason: string }>()
  private awaySince: number | null = null
  /** Whether tasks were delayed, so that only a probe can prove that the server is back. */
  private heldUpTasks = false
  private runsHere = false
  private readonly saidAt = new Map<string, number>()

  /** `fallbackMs`: after how long this process runs tasks itself; null if tasks are always handed over. */
  constructor(private readonly fallbackMs: number | null) {}

  /** A server that accepts tasks knows the functions, even if their registration failed. */
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

  /** Each reason at once, and then once a minute while it lasts. */
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

  /** For how long the server has been away, and the reason if known; null if it is not away. */
  away(now: number): { readonly seconds: number; readonly reason: string } | null {
    if (this.awaySince === null) return null
    return { seconds: Math.round((now - this.awaySince) / 1000), reason: this.failure ?? 'begins no task' }
  }
}

export const isStalled = ({ now, stalledSince }: Seen): boolean =>
  stalledSince !== null && now - stalledSince >= suspectMs
