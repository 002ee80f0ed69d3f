/**
 * Traces of what the service does, for operators: a seam. Names and attributes come from closed lists (a route, a table, a
 * type of task) and contain no id of a person, no key, no token, no value of a row. Without a tracer, which is the default,
 * `traced` calls its work and nothing else.
 */

export type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  /** `server`: a request came in; `client`: somebody else is asked; `internal`: the rest. */
  readonly kind?: 'server' | 'client' | 'internal'
  readonly attributes?: Attributes
  /** What it follows from, in another process or at another time (`traceContext`). By default what it is called in. */
  readonly parent?: string | null
  /** What it belongs to, without being a part of it. */
  readonly links?: readonly string[]
  /** Whether it is left out unless it is part of something: what the worker looks for, time and again, is nobody's trace. */
  readonly isInner?: boolean
}

export interface Span {
  set(attributes: Attributes): void
  /** It failed; `type` is a code or the name of a class, never a message. */
  fail(type: string): void
}

export interface Tracer {
  run<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result
  current(): string | null
}

// The server's bundle and the pages' bundle are two module graphs in one process.
const shared = globalThis as typeof globalThis & { billhookTracer?: Tracer | undefined }

/** For work that is not recorded. */
export const noSpan: Span = { set: () => undefined, fail: () => undefined }

/** Runs `work` as a part of a trace, until it returns or the promise that it returns is settled. */
export function traced<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result {
  const tracer = shared.billhookTracer
  return tracer ? tracer.run(name, options, work) : work(noSpan)
}

export const isTracing = (): boolean => shared.billhookTracer !== undefined

/** What is running now, as a `traceparent` (W3C Trace Context), for what follows from it later; null without a tracer. */
export const traceContext = (): string | null => shared.billhookTracer?.current() ?? null

/** From now on there is a tracer, or none. */
export function installTracer(tracer: Tracer | undefined): void {
  shared.billhookTracer = tracer
}

/** All methods of an object as parts of a trace, each named by the object's name and its own. */
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
