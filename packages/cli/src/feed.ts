import { type Billhook, BillhookError, type WebhookEvent } from '@billhook/sdk'
import { isTemporary } from './failure.ts'
import { pause } from './pause.ts'

/**
 * The events of a storefront, in their order, without a gap and without a repetition.
 *
 * Ids sort by the moment at which an event was written, but transactions commit in another order: an event can become
 * visible after an event with a greater id. Therefore the feed has two positions. It asks for events after the newest
 * known one (`tip`). Now and then it also reads everything after `settled` again, the newest id of a minute ago, and
 * returns what it does not know yet. A transaction takes less than a minute.
 */
export interface FeedOptions {
  /** Begin after this event; null: with the first event. Left out, begin now. */
  readonly after?: string | null | undefined
  readonly signal?: AbortSignal | undefined
  readonly pollMs?: number | undefined
  /** How long an event can be invisible after it was written. */
  readonly settleMs?: number | undefined
  readonly sweepMs?: number | undefined
  /** The connection was lost, or works again (null). */
  onConnection?(error: Error | null): void
}

export class EventFeed {
  private tip: string | null = null
  private settled: string | null = null
  /** Ids after `settled` that were returned. */
  private readonly known = new Set<string>()
  /** The newest known id at earlier times. */
  private marks: { readonly at: number; readonly tip: string | null }[] = []
  private sweptAt = 0
  private isLost = false

  constructor(
    private readonly billhook: Pick<Billhook, 'listWebhookEvents'>,
    private readonly options: FeedOptions = {},
  ) {}

  /** The newest event that was returned, or with which the feed began. */
  get position(): string | null {
    return this.tip
  }

  /** Finds where to begin. Errors are thrown: a wrong key or address shows at once. */
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

  /** Reads again what may have become visible late. */
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

  /** Continues a read after each lost connection. What was returned is known, so nothing is returned twice. */
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
      // More than a page: the first events are at the other end of the list.
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

/** `begin` has reached the service, so a foreign response is that of a proxy whose service restarts. */
const isFromProxy = (error: unknown): error is BillhookError =>
  error instanceof BillhookError && error.code === 'unexpected_response'
