import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'
import type { Traces } from '../platform/config-telemetry.ts'
import {
  type Attributes,
  installTracer,
  noSpan,
  type Span,
  type SpanOptions,
  type Tracer,
} from '../platform/tracing.ts'
import { droppedCounter, ExportQueue, type Kind } from './export-queue.ts'
import { processAttributes } from './otlp.ts'
import { otlpSender } from './otlp-sender.ts'
import { type EndedSpan, otlpSpan, otlpSpans } from './otlp-spans.ts'
import { type Sampler, samplerOf } from './sampler.ts'

/** Traces, sent to a collector of OpenTelemetry. */

const spans: Kind = {
  away: 'the collector takes no traces',
  dropped: droppedCounter('billhook_spans_dropped_total', 'Spans'),
}

/** Begins to trace, for a service with these attributes. Returns how to send the rest and end. */
export function startTracing(traces: Traces, service: Readonly<Record<string, string>>): () => Promise<void> {
  const send = otlpSender(traces)
  const attributes = processAttributes(service)
  const queue = new ExportQueue(spans, traces, (some) => send(otlpSpans(attributes, some)))
  installTracer(new Spans(samplerOf(traces), (span) => queue.add(otlpSpan(span))))
  return async () => {
    installTracer(undefined)
    await queue.flush()
  }
}

/** What is running, or ran elsewhere, and whether it is recorded. */
interface Place {
  readonly traceId: string
  readonly spanId: string
  readonly isRecorded: boolean
}

/** As many as OpenTelemetry allows by default; a batch may consist of more tasks. */
const mostLinks = 128

class Spans implements Tracer {
  private readonly running = new AsyncLocalStorage<Place>()

  constructor(
    private readonly isChosen: Sampler,
    private readonly end: (span: EndedSpan) => void,
  ) {}

  run<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result {
    const around = this.running.getStore()
    if (options.isInner && !around?.isRecorded && !options.parent) return work(noSpan)
    const parent = (options.parent && placeOf(options.parent)) || around
    const traceId = parent?.traceId ?? randomHex(16)
    const place = { traceId, spanId: randomHex(8), isRecorded: this.isChosen(traceId, parent?.isRecorded ?? null) }
    if (!place.isRecorded) return this.running.run(place, work, noSpan)
    return this.running.run(place, () => this.until(new RecordedSpan(name, options, place, parent?.spanId), work))
  }

  current(): string | null {
    const place = this.running.getStore()
    return place ? `00-${place.traceId}-${place.spanId}-0${place.isRecorded ? 1 : 0}` : null
  }

  /** Ends the span with the work. */
  private until<Result>(span: RecordedSpan, work: (span: Span) => Result): Result {
    const end = (error?: { readonly thrown: unknown }) => {
      if (error) span.fail(typeOf(error.thrown))
      this.end(span.ended())
    }
    try {
      const result = work(span)
      if (result instanceof Promise)
        result.then(
          () => end(),
          (thrown: unknown) => end({ thrown }),
        )
      else end()
      return result
    } catch (thrown) {
      end({ thrown })
      throw thrown
    }
  }
}

class RecordedSpan implements Span {
  private readonly startedAt = moment()
  private attributes: Attributes
  private hasFailed = false

  constructor(
    private readonly name: string,
    private readonly options: SpanOptions,
    private readonly place: Place,
    private readonly parentSpanId: string | undefined,
  ) {
    this.attributes = options.attributes ?? {}
  }

  set(attributes: Attributes): void {
    this.attributes = { ...this.attributes, ...attributes }
  }

  fail(type: string): void {
    this.set({ 'error.type': type })
    this.hasFailed = true
  }

  ended(): EndedSpan {
    return {
      traceId: this.place.traceId,
      spanId: this.place.spanId,
      parentSpanId: this.parentSpanId,
      name: this.name,
      kind: this.options.kind ?? 'internal',
      startedAt: this.startedAt,
      endedAt: moment(),
      attributes: this.attributes,
      links: this.options.links ? linksOf(this.options.links) : [],
      hasFailed: this.hasFailed,
    }
  }
}

const linksOf = (links: readonly string[]) =>
  links
    .slice(0, mostLinks)
    .flatMap((link) => placeOf(link) ?? [])
    .map(({ traceId, spanId }) => ({ traceId, spanId }))

/** Since 1970, and finer than `Date.now()`; it does not jump when the clock of the machine is set. */
const moment = () => beganAt + performance.now()
const beganAt = performance.timeOrigin

function placeOf(traceparent: string): Place | null {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? []
  if (!traceId || !spanId || !flags) return null
  return { traceId, spanId, isRecorded: (Number.parseInt(flags, 16) & 1) === 1 }
}

const random = Buffer.alloc(4_096)
let used = random.length

/** Random bytes are asked for by the page: each time takes longer than an id. */
function randomHex(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += bytes
  return random.toString('hex', used - bytes, used)
}

/** A code (of a refusal, of the database, of Node) or the name of a class: a message may name a person. */
function typeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code)
    ? code
    : typeof name === 'string'
      ? name.slice(0, 64)
      : 'unknown'
}
