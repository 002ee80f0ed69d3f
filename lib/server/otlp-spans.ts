import type { Attributes, SpanOptions } from '../platform/tracing.ts'
import { attributesOf, nanosecondsOf, scope } from './otlp.ts'

/** Spans as OTLP has them. */

export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: NonNullable<SpanOptions['kind']>
  /** Milliseconds since 1970, with parts. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Attributes
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly hasFailed: boolean
}

const kinds = { internal: 1, server: 2, client: 3 }

/** A span as JSON. Many of them wait for the collector: as texts they do not occupy the collection of garbage. */
export const otlpSpan = (span: EndedSpan): string =>
  JSON.stringify({
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanosecondsOf(span.startedAt),
    endTimeUnixNano: nanosecondsOf(span.endedAt),
    attributes: attributesOf(span.attributes),
    links: span.links,
    status: span.hasFailed ? { code: 2 } : {},
  })

/** The body of `POST /v1/traces`, as JSON, of spans that are. */
export function otlpSpans(attributes: object, spans: readonly string[]): string {
  const resource = JSON.stringify({ attributes: attributesOf(attributes) })
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[${spans.join(',')}]}]}]}`
}
