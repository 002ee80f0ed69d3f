import type { Attributes } from '../platform/tracing.ts'
import { attributesOf, nanosecondsOf, scope } from './otlp.ts'

/** Spans as OTLP has them. */

export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: 'server' | 'client' | 'internal'
  /** Milliseconds since 1970, with parts. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Attributes
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly hasFailed: boolean
}

const kinds = { internal: 1, server: 2, client: 3 }

/** A span as JSON. Many of them wait for the collector: as texts they do not occupy the collection of garbage. */
export function otlpSpan(span: EndedSpan): string {
  const { traceId, spanId, parentSpanId, name, kind, startedAt, endedAt, attributes, links, hasFailed } = span
  return [
    `{"traceId":"${traceId}","spanId":"${spanId}",`,
    parentSpanId === undefined ? '' : `"parentSpanId":"${parentSpanId}",`,
    `"name":${JSON.stringify(name)},"kind":${kinds[kind]},`,
    `"startTimeUnixNano":"${nanosecondsOf(startedAt)}","endTimeUnixNano":"${nanosecondsOf(endedAt)}",`,
    `"attributes":[${Object.entries(attributes).map(attributeText).join()}],`,
    links.length === 0 ? '' : `"links":${JSON.stringify(links)},`,
    `"status":${hasFailed ? '{"code":2}' : '{}'}}`,
    // Joined, it is one text, and not a tree of its parts.
  ].join('')
}

const attributeText = ([key, value]: [string, Attributes[string]]): string =>
  typeof value === 'string'
    ? `{"key":"${key}","value":{"stringValue":${JSON.stringify(value)}}}`
    : JSON.stringify(attributesOf({ [key]: value })[0])

/** The body of `POST /v1/traces`, as JSON, of spans that are. */
export function otlpSpans(attributes: object, spans: readonly string[]): string {
  const resource = JSON.stringify({ attributes: attributesOf(attributes) })
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[${spans.join(',')}]}]}]}`
}
