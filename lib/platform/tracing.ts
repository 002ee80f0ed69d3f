/**
 * Traces for operators. Names and attributes come from closed lists (routes, tables, task types), and contain no id of
 * a person, no key, no token, and no value of a row. Without a tracer, `traced` only calls its work.
 */

type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  /** `server` answers a request, `client` calls another service, `internal` is everything else. */
  readonly kind?: 'server' | 'client' | 'internal'
  readonly attributes?: Attributes
  /** The `traceparent` of the cause, from another process or an earlier time. The default is the running span. */
  readonly parent?: string | null
  readonly links?: readonly string[]
  /** An inner span is recorded only inside a recorded trace. The worker’s polling is no trace. */
  readonly isInner?: boolean
}

export interface Span {
  set(attributes: Attributes): void
  /** Marks the span as failed. `type` is a code or the name of a class, never a message. */
  fail(type: string): void
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Tracer {
  run<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result
  current(): string | null
  incoming(headers: Headers): string | null
}

// The server's bundle and the pages' bundle are two module graphs in one process.
const shared = globalThis as typeof globalThis & { billhookTracer?: Tracer | undefined }

export const noSpan: Span = { set: () => undefined, fail: () => undefined }

/** Runs `work` as a span, which ends when `work` returns or when its promise settles. */
export function traced<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result {
  const tracer = shared.billhookTracer
  return tracer ? tracer.run(name, options, work) : work(noSpan)
}

export const isTracing = (): boolean => shared.billhookTracer !== undefined

/** The running span as a `traceparent` (W3C Trace Context), for work that follows later. Null without a tracer. */
export const traceContext = (): string | null => shared.billhookTracer?.current() ?? null

/** The trace that the caller of a request names in its headers. Null unless `OTEL_PROPAGATORS` is set. */
export const incomingTrace = (headers: Headers): string | null => shared.billhookTracer?.incoming(headers) ?? null

export function installTracer(tracer: Tracer | undefined): void {
  shared.billhookTracer = tracer
}

/** Traces each method of an object. A span is named after the object and the method. */
export function tracedMethods<Target extends object>(name: string, target: Target): Target {
  return new Proxy(target, {
    get(object, key) {
      const value = Reflect.get(object, key)
      if (typeof value !== 'function' || typeof key !== 'string' || !isTracing()) return value
      return (...given: unknown[]) =>
        traced(`${name} ${key}`, { kind: 'client', isInner: true }, () => Reflect.apply(value, object, given))
    },
  })
}
