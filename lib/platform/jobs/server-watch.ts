import type { Choice } from './task-runner.ts'

/**
 * Whether a task server runs what is handed to it. It is away if it could not be reached, or began none of the tasks that
 * wait with it, for a minute. From then on this process runs tasks itself, and hands one over every half minute: when that
 * one begins, the server is back. If nothing but its registration failed, it is back as soon as that succeeds.
 */

const patienceMs = 60_000
const probeEveryMs = 30_000
const sayEveryMs = 60_000

/** What is known of the one task that was handed over to see whether it is run. */
export type Probe = 'none' | 'waits' | 'begun' | 'lost'

export interface Seen {
  readonly now: number
  /** Since when the oldest task waits that was handed over and not begun; null without one. */
  readonly waitingSince: number | null
  readonly probe: Probe
}

/** What the server is asked for. */
export type Asked = 'to register' | 'to run tasks'

/** Moments are in milliseconds, of any one clock. */
export class ServerWatch {
  /** What failed when it was last asked for, the newest last. */
  private readonly failures = new Map<Asked, { readonly since: number; readonly reason: string }>()
  private awaySince: number | null = null
  /** Whether tasks were held up, so that only a task can show that it is back. */
  private heldUpTasks = false
  private nextProbeAt = 0
  /** When each reason was last logged. */
  private readonly saidAt = new Map<string, number>()

  /** Without `fallback` tasks are handed over whatever becomes of them. */
  constructor(private readonly fallback: boolean) {}

  /** A server that takes tasks knows the functions, whatever became of registering them. */
  reached(asked: Asked): void {
    if (asked === 'to run tasks') this.failures.clear()
    else this.failures.delete(asked)
  }

  failed(now: number, asked: Asked, reason: string): void {
    const since = this.failures.get(asked)?.since ?? now
    this.failures.delete(asked)
    this.failures.set(asked, { since, reason })
  }

  /** A task was handed over to see whether it is run. */
  probed(now: number): void {
    this.nextProbeAt = now + probeEveryMs
  }

  /** Why it fails or is away, if that is to be logged now: each reason at once, and then once a minute while it holds. */
  toSay(now: number): string | null {
    const reason = this.failure ?? this.away(now)?.reason
    for (const [said, at] of this.saidAt) if (now - at >= sayEveryMs) this.saidAt.delete(said)
    if (reason === undefined || this.saidAt.has(reason)) return null
    this.saidAt.set(reason, now)
    return reason
  }

  choose({ now, waitingSince, probe }: Seen): Choice {
    if (this.awaySince !== null && probe === 'begun') {
      this.reached('to run tasks')
      this.isBack()
      return 'hand over'
    }
    const since = Math.min(...[...this.failures.values()].map((each) => each.since), waitingSince ?? now)
    const isAway = now - since >= patienceMs
    if (isAway && this.awaySince === null) {
      this.awaySince = since
      this.nextProbeAt = now + probeEveryMs
    }
    if (isAway) this.heldUpTasks ||= this.failures.has('to run tasks') || waitingSince !== null
    else if (!this.fallback || !this.heldUpTasks) this.isBack()
    if (this.awaySince === null || !this.fallback) return 'hand over'
    return probe === 'waits' || now < this.nextProbeAt ? 'run here' : 'probe'
  }

  private isBack(): void {
    this.awaySince = null
    this.heldUpTasks = false
  }

  private get failure(): string | undefined {
    return [...this.failures.values()].at(-1)?.reason
  }

  /** For how long the server has been away, and why as far as it is known; null while it is not. */
  away(now: number): { readonly seconds: number; readonly reason: string } | null {
    if (this.awaySince === null) return null
    return { seconds: Math.round((now - this.awaySince) / 1000), reason: this.failure ?? 'begins no task' }
  }
}
