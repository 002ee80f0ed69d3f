/**
 * Names and attributes of spans come from closed lists (routes, tables, task types). They contain no id of a person, no key, no token, and no value of a row.
 * Without a tracer, `traced` calls its work directly.
 */

type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  /** `server`: the span handles a request. `client`: the span calls another service. */
  readonly kind?: 'server' | 'client' | 'internal'
  readonly attributes?: Attributes
  /** The `traceparent` of the cause, from another process or an earlier time. The default is the current span. */
  readonly parent?: string | null
  readonly links?: readonly string[]
  /** Whether the span is recorded only inside a recorded trace, as for the worker's polling. */
  readonly isInner?: boolean
}

export interface Span {
  set(attributes: Attributes): void
  /** `type` is an error code or class name, never a message. */
  fail(type: string): void
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Tracer {
  run<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result
  current(): string | null
  incoming(headers: Headers): string | null
}

// The bundles of the server and of the pages share the tracer through the global object.
const shared = globalThis as typeof globalThis & { billhookTracer?: Tracer | undefined }

export const noSpan: Span = { set: () => undefined, fail: () => undefined }

export function traced<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result {
  const tracer = shared.billhookTracer
  return tracer ? tracer.run(name, options, work) : work(noSpan)
}

export const isTracing = (): boolean => shared.billhookTracer !== undefined

/** The current span as a `traceparent` (W3C Trace Context). Null if no tracer is configured. */
export const traceContext = (): string | null => shared.billhookTracer?.current() ?? null

/** The trace in the headers of a request. Null unless `OTEL_PROPAGATORS` is set. */
export const incomingTrace = (headers: Headers): string | null => shared.billhookTracer?.incoming(headers) ?? null

export function installTracer(tracer: Tracer | undefined): void {
  shared.billhookTracer = tracer
}

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
