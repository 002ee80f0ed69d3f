import type { operations } from './generated/schema.ts'

/** The JSON body that an operation takes. */
export type Body<Id extends keyof operations> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Value } }
}
  ? Value
  : never

/** The query parameters that an operation takes. */
export type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>

/** The JSON that an operation returns. */
export type Result<Id extends keyof operations> = {
  [Status in keyof operations[Id]['responses']]: operations[Id]['responses'][Status] extends {
    content: { 'application/json': infer Value }
  }
    ? Value
    : never
}[keyof operations[Id]['responses']]

export interface RequestOptions {
  /** Aborts the request and its retries. */
  signal?: AbortSignal | undefined
  /** How long each attempt may take, in milliseconds. */
  timeoutMs?: number | undefined
  /** The maximum number of retries of a failed request. */
  maxRetries?: number | undefined
}

export interface WriteOptions extends RequestOptions {
  /**
   * Without a key, each call gets a random key, which its retries share. To retry a call safely after your process
   * ended, set a key, for example the id of your own order.
   */
  idempotencyKey?: string | undefined
}

export interface Page<T> {
  /** Newest first. */
  data: T[]
  count: number
  links: { self: PageLink; next: PageLink | null; prev: PageLink | null }
}

interface PageLink {
  href: string
  type: string
}

/** `await` reads one page. `for await` reads every result, page by page. */
export interface List<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {}
