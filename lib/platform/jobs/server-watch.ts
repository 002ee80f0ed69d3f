import type { Choice } from './task-runner.ts'

/**
 * Whether a task server runs what is handed to it. It is away if it could not be reached, or began none of the tasks that
 * wait with it, for a minute. From then on this process runs tasks itself, and hands one over every half minute: when that
 * one begins, the server is back.
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

/** Moments are in milliseconds, of any one clock. */
export class ServerWatch {
  private failingSince: number | null = null
  private failure: string | null = null
  private awaySince: number | null = null
  private nextProbeAt = 0
  /** When each reason was last logged. */
  private readonly saidAt = new Map<string, number>()

  /** Without `fallback` tasks are handed over whatever becomes of them. */
  constructor(private readonly fallback: boolean) {}

  reached(): void {
    this.failingSince = null
    this.failure = null
  }

  failed(now: number, reason: string): void {
    this.failingSince ??= now
    this.failure = reason
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
      this.awaySince = null
      this.reached()
      return 'hand over'
    }
    const since = earliest(this.failingSince, waitingSince)
    const isAway = since !== null && now - since >= patienceMs
    if (!this.fallback) {
      this.awaySince = isAway ? since : null
      return 'hand over'
    }
    if (this.awaySince === null && isAway) {
      this.awaySince = since
      this.nextProbeAt = now + probeEveryMs
    }
    if (this.awaySince === null) return 'hand over'
    if (probe === 'waits' || now < this.nextProbeAt) return 'run here'
    this.nextProbeAt = now + probeEveryMs
    return 'probe'
  }

  /** For how long the server has been away, and why as far as it is known; null while it is not. */
  away(now: number): { readonly seconds: number; readonly reason: string } | null {
    if (this.awaySince === null) return null
    return { seconds: Math.round((now - this.awaySince) / 1000), reason: this.failure ?? 'begins no task' }
  }
}

const earliest = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)
