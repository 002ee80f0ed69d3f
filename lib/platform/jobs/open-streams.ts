import { every } from '../every.ts'
import { Outage } from '../outage.ts'
import { Leases } from './leases.ts'
import { roomFor } from './places.ts'
import { dueStreams } from './streams.ts'
import type { TaskClaim } from './tasks.ts'

/**
 * Milliseconds after which a dispatch task starts no more deliveries and ends. Otherwise, a request from Inngest that
 * runs the dispatch task could stay open without end.
 */
const shiftMs = 60_000
/** Milliseconds for which a dispatch task ignores notifications after it has found no due delivery. */
const restMs = 100
/**
 * Milliseconds between two queries for due streams in a process without a worker. The query notifies the running
 * dispatch tasks of these streams.
 */
const lookEveryMs = 500

export interface Ended {
  readonly own: number
  readonly beside: number
}

type Watcher = (stream: string, ended: Ended) => void

class OpenStreams {
  private readonly open = new Set<OpenStream>()
  private readonly onNone: (() => void)[] = []
  private readonly watchers = new Set<Watcher>()
  readonly leases = new Leases()
  isStopping = false
  /** False in a process without a worker, which serves pages and runs jobs for an Inngest server. */
  hasWorker = false
  private endLooking: (() => Promise<void>) | undefined

  add(stream: OpenStream): void {
    if (this.open.size === 0) this.leases.start()
    this.open.add(stream)
    this.endLooking ??= every(lookEveryMs, () => this.nudgeDue(), new Outage('due streams could not be read'))
  }

  async remove(stream: OpenStream): Promise<void> {
    this.open.delete(stream)
    if (this.open.size > 0) return
    for (const resolve of this.onNone.splice(0)) resolve()
    const { endLooking } = this
    this.endLooking = undefined
    await Promise.all([this.leases.stop(), endLooking?.()])
  }

  roomOf(name: string, storefrontId: string): number {
    const held = { ofStream: 0, ofStorefront: 0, ofProcess: 0 }
    for (const each of this.open) {
      held.ofProcess += each.places
      if (each.storefrontId === storefrontId) held.ofStorefront += each.places
      if (each.name === name) held.ofStream += each.places
    }
    return roomFor(held)
  }

  stop(name: string): void {
    for (const each of this.open) if (each.name === name) each.stop()
  }

  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher)
    return () => void this.watchers.delete(watcher)
  }

  ended(name: string, ended: Ended): void {
    for (const watcher of this.watchers) watcher(name, ended)
  }

  nudge(name: string): void {
    for (const each of this.open) if (each.name === name) each.nudge()
  }

  private async nudgeDue(): Promise<void> {
    if (this.hasWorker || this.isStopping) return
    for (const { stream, isTaken } of await dueStreams()) if (isTaken) this.nudge(stream)
  }

  /**
   * Stops all dispatch tasks except the dispatch tasks of clock advances. A stopped dispatch task starts no further
   * delivery attempt. After `ended` resolves, waits until all dispatch tasks have recorded their current delivery
   * attempts.
   */
  async stopUntil(ended: Promise<unknown>): Promise<void> {
    this.isStopping = true
    for (const each of this.open) if (!each.isOfAdvance) each.stop()
    await ended
    if (this.open.size > 0) await new Promise<void>((resolve) => this.onNone.push(resolve))
    this.isStopping = false
  }
}

// The bundles of the server and of the pages share the streams through the global object.
const shared = globalThis as typeof globalThis & { billhookStreams?: OpenStreams }

export function openStreams(): OpenStreams {
  shared.billhookStreams ??= new OpenStreams()
  return shared.billhookStreams
}

export class OpenStream {
  places = 0
  private readonly ends = Date.now() + shiftMs
  private isStopped = false
  private restsUntil = 0
  private resting: NodeJS.Timeout | undefined
  private isChanged = false
  private onChange: (() => void) | undefined

  constructor(
    readonly name: string,
    readonly storefrontId: string,
    /** True if a clock advance runs this dispatch task. The advance then decides when the dispatch task ends. */
    readonly isOfAdvance = false,
  ) {
    openStreams().add(this)
  }

  /**
   * Takes all available slots, or none if the dispatch task must end. The caller frees the slots that it does not need.
   */
  takeRoom(): number {
    const room = this.isOver ? 0 : openStreams().roomOf(this.name, this.storefrontId)
    this.places += room
    return room
  }

  free(places: number): void {
    this.places -= places
  }

  hold(claim: TaskClaim): void {
    openStreams().leases.hold(claim)
  }

  drop(claim: TaskClaim): void {
    openStreams().leases.drop(claim)
  }

  get isOver(): boolean {
    return this.isStopped || (openStreams().isStopping && !this.isOfAdvance) || Date.now() >= this.ends
  }

  /**
   * Resolves when the dispatch task is notified or stopped, or when a delivery attempt has ended or was recorded.
   * Resolves immediately if one of these changes has happened since the last call.
   */
  async changed(): Promise<void> {
    if (!this.isChanged) {
      await new Promise<void>((resolve) => {
        this.onChange = resolve
      })
    }
    this.isChanged = false
  }

  /** Resolves when `places` slots have been freed, or after `ms` milliseconds. */
  async gathered(places: number, ms: number): Promise<void> {
    const enough = this.places - places
    const until = Date.now() + ms
    for (let left = ms; left > 0 && this.places > enough; left = until - Date.now()) {
      const late = setTimeout(() => this.change(), left)
      await this.changed()
      clearTimeout(late)
    }
  }

  change(): void {
    this.isChanged = true
    this.onChange?.()
  }

  /** Ignores notifications for `restMs`, because the notifications are usually about tasks that were already found. */
  rest(): void {
    this.restsUntil = Date.now() + restMs
  }

  nudge(): void {
    if (openStreams().roomOf(this.name, this.storefrontId) === 0) return
    const wait = this.restsUntil - Date.now()
    if (wait <= 0) this.change()
    else
      this.resting ??= setTimeout(() => {
        this.resting = undefined
        this.change()
      }, wait)
  }

  ended(ended: Ended): void {
    openStreams().ended(this.name, ended)
  }

  stop(): void {
    this.isStopped = true
    this.change()
  }

  async close(): Promise<void> {
    clearTimeout(this.resting)
    await openStreams().remove(this)
  }
}
