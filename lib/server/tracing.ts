import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type Tracer as SdkTracer,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { core } from '@opentelemetry/sdk-node'
import { noSpan, type Span, type Tracer } from '../platform/tracing.ts'

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT }

export const openTelemetryTracer = (tracer: SdkTracer): Tracer => ({
  run(name, { kind = 'internal', attributes = {}, parent, links = [], isInner }, work) {
    const active = context.active()
    if (isInner && !parent && !isRecorded(trace.getSpanContext(active))) return work(noSpan)
    const cause = parent ? spanContextOf(parent) : null
    const options = {
      kind: kinds[kind],
      attributes,
      links: links.flatMap((link) => spanContextOf(link) ?? []).map((linked) => ({ context: linked })),
    }
    const around = cause ? trace.setSpanContext(active, cause) : active
    return tracer.startActiveSpan(name, options, around, (span) => untilDone(span, work))
  },
  current: () => traceparentOf(trace.getSpanContext(context.active())),
  incoming: (headers) => traceparentOf(trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers))),
})

// Reads the trace flags instead of `isRecording()`, because Next.js wraps the running span in a span that has the same
// context and records nothing.
const isRecorded = (span: SpanContext | undefined): boolean =>
  span !== undefined && (span.traceFlags & TraceFlags.SAMPLED) !== 0

const spanContextOf = (traceparent: string): SpanContext | null => core.parseTraceParent(traceparent)

const traceparentOf = (span: SpanContext | undefined): string | null =>
  span ? `00-${span.traceId}-${span.spanId}-0${isRecorded(span) ? 1 : 0}` : null

function untilDone<Result>(span: SdkSpan, work: (span: Span) => Result): Result {
  const ours: Span = {
    set: (attributes) => void span.setAttributes(attributes),
    fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
  }
  const failed = (error: unknown) => {
    ours.fail(typeOf(error))
    span.end()
  }
  try {
    const result = work(ours)
    if (result instanceof Promise) result.then(() => span.end(), failed)
    else span.end()
    return result
  } catch (error) {
    failed(error)
    throw error
  }
}

/** The error code or the class name. The error message is left out, because it may name a person. */
function typeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string' && /^[\w.-]{1,64}$/.test(code)) return code
  return typeof name === 'string' ? name.slice(0, 64) : 'unknown'
}
