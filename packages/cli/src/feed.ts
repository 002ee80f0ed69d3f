import { type Billhook, BillhookError, type WebhookEvent } from '@billhook/sdk'
import { isTemporary } from './failure.ts'
import { pause } from './pause.ts'

export interface FeedOptions {
  /** Start after this event id. Null: start with the first event. Undefined: start with the next new event. */
  readonly after?: string | null | undefined
  readonly signal?: AbortSignal | undefined
  readonly pollMs?: number | undefined
  readonly settleMs?: number | undefined
  readonly sweepMs?: number | undefined
  /** Receives an error when the connection is lost, and null when it works again. */
  onConnection?(error: Error | null): void
}

/**
 * Yields each event of a storefront exactly once, in the order of the ids. Exception: an event that is committed late follows
 * events with greater ids, because an id contains the time of the write and not the time of the commit.
 *
 * Each poll reads the events after `tip`, the newest known id. To find events that were committed late, all events after
 * `settled` are read again every `sweepMs`. `settled` is the id that was the newest a minute ago, because every transaction
 * takes less than a minute.
 */
export class EventFeed {
  private tip: string | null = null
  private settled: string | null = null
  /** The ids of returned events that are newer than `settled`. */
  private readonly known = new Set<string>()
  private marks: { readonly at: number; readonly tip: string | null }[] = []
  private sweptAt = 0
  private isLost = false

  constructor(
    private readonly billhook: Pick<Billhook, 'listWebhookEvents'>,
    private readonly options: FeedOptions = {},
  ) {}

  get position(): string | null {
    return this.tip
  }

  /** Throws on errors, so that a wrong key or URL is reported immediately. */
  async begin(): Promise<void> {
    const { after } = this.options
    if (after === undefined) await this.beginNow()
    else this.tip = this.settled = after
    this.marks = [{ at: Date.now(), tip: this.tip }]
    this.sweptAt = Date.now()
  }

  /** Marks the existing events as already returned. `sweep` finds an event that is committed later but has a smaller id than an existing event. */
  private async beginNow(): Promise<void> {
    const { data } = await this.billhook.listWebhookEvents({ limit: 100 })
    this.tip = data[0]?.id ?? null
    this.settled = data[99]?.id ?? null
    for (const { id } of data) this.known.add(id)
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
      // The list is newest first, so the oldest events are on its last page.
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

/** An unexpected response after a successful `begin` comes from a proxy, because the service is restarting. */
const isFromProxy = (error: unknown): error is BillhookError =>
  error instanceof BillhookError && error.code === 'unexpected_response'
