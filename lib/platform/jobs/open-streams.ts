import { every } from '../every.ts'
import { log } from '../log.ts'
import { Leases } from './leases.ts'
import { roomFor } from './places.ts'
import { dueStreams } from './streams.ts'
import type { TaskClaim } from './tasks.ts'

/** How long a dispatch accepts further tasks. Then its run ends, which may be a request of an Inngest server. */
const shiftMs = 60_000
/** After a look without results, a dispatch ignores nudges for this time. */
const restMs = 100
/** How often a process without a worker looks for due tasks in the streams that it dispatches. */
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
  /** A process that only serves pages and is called by an Inngest server has no worker. */
  hasWorker = false
  private endLooking: (() => Promise<void>) | undefined

  add(stream: OpenStream): void {
    if (this.open.size === 0) this.leases.start()
    this.open.add(stream)
    this.endLooking ??= every(
      lookEveryMs,
      () => this.nudgeDue(),
      (error) => log.warn({ error: String(error) }, 'could not look for due streams'),
    )
  }

  async remove(stream: OpenStream): Promise<void> {
    this.open.delete(stream)
    if (this.open.size > 0) return
    for (const resolve of this.onNone.splice(0)) resolve()
    const { endLooking } = this
    this.endLooking = undefined
    await Promise.all([this.leases.stop(), endLooking?.()])
  }

  /** How many more places a stream of a storefront may take. */
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

  /** Accepts no further task until `ended`. Waits for running dispatches, which record the attempts under way. */
  async stopUntil(ended: Promise<unknown>): Promise<void> {
    this.isStopping = true
    for (const each of this.open) if (!each.isOfAdvance) each.stop()
    await ended
    if (this.open.size > 0) await new Promise<void>((resolve) => this.onNone.push(resolve))
    this.isStopping = false
  }
}

// Two bundles run in one process, so the streams are shared through the global object.
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
    /** Whether the advance of a test clock runs the dispatch, and decides when it ends. */
    readonly isOfAdvance = false,
  ) {
    openStreams().add(this)
  }

  /** The caller must free the places that it does not need. Takes none if the dispatch must end. */
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

  /** Resolves at the next change, or at once if there was one since the last call. */
  async changed(): Promise<void> {
    if (!this.isChanged) {
      await new Promise<void>((resolve) => {
        this.onChange = resolve
      })
    }
    this.isChanged = false
  }

  /** Resolves when this many places have been freed, or after `ms`. */
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

  /** The next nudges are for tasks already seen, or can wait a little. */
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
