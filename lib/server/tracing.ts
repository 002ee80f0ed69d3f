import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span as OtelSpan } from '@opentelemetry/api'
import { type Attributes, installTracer, type Span, type SpanOptions, type Tracer } from '../platform/tracing.ts'
import { processAttributes } from './otlp.ts'

/** Traces by OpenTelemetry, sent to a collector as the `OTEL_*` variables say. Its packages are loaded here. */

/** Begins to trace, for a service with these attributes. Returns how to send the rest and end. */
export async function startTracing(service: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
  const [api, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const provider = new BasicTracerProvider({
    resource: resources.resourceFromAttributes(processAttributes(service)),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  installTracer(new OpenTelemetry(api, provider.getTracer('billhook')))
  return async () => {
    installTracer(undefined)
    await provider.shutdown()
  }
}

type Api = typeof import('@opentelemetry/api')

/** What is running: its context, and whether it is recorded. */
interface Running {
  readonly context: Context
  readonly isRecorded: boolean
}

class OpenTelemetry implements Tracer {
  private readonly running = new AsyncLocalStorage<Running>()
  private readonly kinds

  constructor(
    private readonly api: Api,
    private readonly tracer: ReturnType<Api['trace']['getTracer']>,
  ) {
    const { SERVER, CLIENT, INTERNAL } = api.SpanKind
    this.kinds = { server: SERVER, client: CLIENT, internal: INTERNAL }
  }

  run<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result {
    const { kind = 'internal', attributes = {}, parent, links = [], isInner = false } = options
    const around = this.running.getStore()
    if (isInner && !around?.isRecorded && !parent) return work(notRecorded)
    const within = (parent && this.remote(parent)) || around?.context || this.api.ROOT_CONTEXT
    const span = this.tracer.startSpan(
      name,
      { kind: this.kinds[kind], attributes, links: links.flatMap((link) => this.linked(link)) },
      within,
    )
    const running = { context: this.api.trace.setSpan(within, span), isRecorded: span.isRecording() }
    return this.running.run(running, () => this.until(span, work))
  }

  current(): string | null {
    const context = this.running.getStore()?.context
    const span = context && this.api.trace.getSpanContext(context)
    return span ? `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}` : null
  }

  /** Ends the span with the work. */
  private until<Result>(span: OtelSpan, work: (span: Span) => Result): Result {
    const recorded = span.isRecording() ? this.spanOf(span) : notRecorded
    try {
      const result = work(recorded)
      if (!(result instanceof Promise)) {
        span.end()
        return result
      }
      return result.then(
        (value) => {
          span.end()
          return value
        },
        (error: unknown) => {
          recorded.fail(typeOf(error))
          span.end()
          throw error
        },
      ) as Result
    } catch (error) {
      recorded.fail(typeOf(error))
      span.end()
      throw error
    }
  }

  private spanOf(span: OtelSpan): Span {
    return {
      set: (attributes: Attributes) => void span.setAttributes(attributes),
      fail: (type: string) => {
        span.setAttribute('error.type', type)
        span.setStatus({ code: this.api.SpanStatusCode.ERROR })
      },
    }
  }

  private remote(traceparent: string): Context | null {
    const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? []
    if (!traceId || !spanId || !flags) return null
    const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
    return this.api.trace.setSpanContext(this.api.ROOT_CONTEXT, span)
  }

  private linked(traceparent: string) {
    const context = this.remote(traceparent)
    const span = context && this.api.trace.getSpanContext(context)
    return span ? [{ context: span }] : []
  }
}

const notRecorded: Span = { set: () => undefined, fail: () => undefined }

/** A code (of a refusal, of the database, of Node) or the name of a class: a message may name a person. */
function typeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code)
    ? code
    : typeof name === 'string'
      ? name.slice(0, 64)
      : 'unknown'
}
