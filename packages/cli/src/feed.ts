import { type Billhook, BillhookError, type WebhookEvent } from '@billhook/sdk'
import { isTemporary } from './failure.ts'
import { pause } from './pause.ts'

/**
 * The events of a storefront in order, without gaps and duplicates.
 *
 * Ids sort by the time at which an event was written, but transactions can commit in a different order: an event can
 * become visible after an event with a greater id. Therefore the feed has two positions. Every poll reads the events
 * after the newest known event (`tip`). Every `sweepMs` the feed also reads all events after `settled` again, which is
 * the newest id of a minute ago, and returns the unknown events. Every transaction takes less than a minute.
 */
export interface FeedOptions {
  /** Start after this event. Null: start with the first event. Undefined: start with the next new event. */
  readonly after?: string | null | undefined
  readonly signal?: AbortSignal | undefined
  readonly pollMs?: number | undefined
  /** The maximum time between the write and the commit of an event. */
  readonly settleMs?: number | undefined
  readonly sweepMs?: number | undefined
  /** Called with an error when the connection is lost, and with null when the connection works again. */
  onConnection?(error: Error | null): void
}

export class EventFeed {
  private tip: string | null = null
  private settled: string | null = null
  /** The returned ids after `settled`. */
  private readonly known = new Set<string>()
  /** The newest known id at earlier times. */
  private marks: { readonly at: number; readonly tip: string | null }[] = []
  private sweptAt = 0
  private isLost = false

  constructor(
    private readonly billhook: Pick<Billhook, 'listWebhookEvents'>,
    private readonly options: FeedOptions = {},
  ) {}

  /** The id of the newest returned event, or of the event after which the feed started. */
  get position(): string | null {
    return this.tip
  }

  /** Finds the start position. Throws on errors, so that a wrong key or address is reported immediately. */
  async begin(): Promise<void> {
    const { after } = this.options
    const begin =
      after === undefined ? ((await this.billhook.listWebhookEvents({ limit: 1 })).data[0]?.id ?? null) : after
    this.tip = begin
    this.settled = begin
    this.marks = [{ at: Date.now(), tip: begin }]
    this.sweptAt = Date.now()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WebhookEvent> {
    const { signal, pollMs = 1_000 } = this.options
    while (!signal?.aborted) {
      const before = this.tip
      yield* this.patiently(() => this.eventsAfter(this.tip))
      yield* this.sweep()
      if (before === this.tip) await pause(pollMs, signal)
    }
  }

  /** Reads recent events again, because some events become visible late. */
  private async *sweep(): AsyncGenerator<WebhookEvent> {
    const { settleMs = 60_000, sweepMs = 10_000 } = this.options
    const now = Date.now()
    if (this.marks.at(-1)?.tip !== this.tip) this.marks.push({ at: now, tip: this.tip })
    if (now - this.sweptAt < sweepMs || this.settled === this.tip) return
    yield* this.patiently(() => this.eventsAfter(this.settled))
    this.sweptAt = now
    const old = this.marks.filter(({ at }) => at <= now - settleMs)
    const [newest] = old.slice(-1)
    if (!newest) return
    this.settled = newest.tip
    this.marks = this.marks.filter(({ at }) => at >= newest.at)
    for (const id of this.known) if (newest.tip !== null && id <= newest.tip) this.known.delete(id)
  }

  /** Restarts a read after a lost connection. `known` prevents that an event is returned twice. */
  private async *patiently(read: () => AsyncGenerator<WebhookEvent>): AsyncGenerator<WebhookEvent> {
    const { signal, pollMs = 1_000, onConnection } = this.options
    for (let failures = 0; !signal?.aborted; failures++) {
      try {
        yield* read()
        return
      } catch (error) {
        if (signal?.aborted) return
        if (!isTemporary(error) && !isFromProxy(error)) throw error
        if (!this.isLost) onConnection?.(error)
        this.isLost = true
        await pause(error.retryAfterMs ?? Math.min(5_000, (pollMs / 2) * 2 ** failures), signal)
      }
    }
  }

  /** Unknown events with a greater id, oldest first. */
  private async *eventsAfter(start: string | null): AsyncGenerator<WebhookEvent> {
    for (let cursor = start; ; ) {
      const { events, isLast } = await this.pageAfter(cursor)
      for (const event of events) {
        cursor = event.id
        if (this.known.has(event.id)) continue
        this.known.add(event.id)
        if (this.tip === null || event.id > this.tip) this.tip = event.id
        yield event
      }
      if (isLast) return
    }
  }

  private async pageAfter(cursor: string | null): Promise<{ events: WebhookEvent[]; isLast: boolean }> {
    const options = { signal: this.options.signal, maxRetries: 0, timeoutMs: 15_000 }
    if (cursor === null) {
      const { data, links } = await this.billhook.listWebhookEvents({ limit: 100 }, options)
      this.connected()
      // The list is newest first, so the first events are on the last page.
      return { events: links.next ? await this.everything() : data.toReversed(), isLast: true }
    }
    const { data, links } = await this.billhook.listWebhookEvents({ limit: 100, endingBefore: cursor }, options)
    this.connected()
    return { events: data.toReversed(), isLast: links.prev === null || data.length === 0 }
  }

  private async everything(): Promise<WebhookEvent[]> {
    const events: WebhookEvent[] = []
    for await (const event of this.billhook.listWebhookEvents()) events.push(event)
    return events.toReversed()
  }

  private connected(): void {
    if (!this.isLost) return
    this.isLost = false
    this.options.onConnection?.(null)
  }
}

/** `begin` has reached the service, so an unexpected response comes from a proxy while the service restarts. */
const isFromProxy = (error: unknown): error is BillhookError =>
  error instanceof BillhookError && error.code === 'unexpected_response'
