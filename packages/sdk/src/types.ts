import type { operations } from './generated/schema.ts'

export type Body<Id extends keyof operations> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Value } }
}
  ? Value
  : never

export type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>

export type Result<Id extends keyof operations> = {
  [Status in keyof operations[Id]['responses']]: operations[Id]['responses'][Status] extends {
    content: { 'application/json': infer Value }
  }
    ? Value
    : never
}[keyof operations[Id]['responses']]

export interface RequestOptions {
  /** Aborts the current attempt and all retries. */
  signal?: AbortSignal | undefined
  /** The timeout of each attempt in milliseconds. */
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

export interface WriteOptions extends RequestOptions {
  /** Retries of a call share a random key by default. Set a key to retry a call after a crash of your process. */
  idempotencyKey?: string | undefined
}

export interface Page<T> {
  /** The items of the page, newest first. */
  data: T[]
  count: number
  links: { self: PageLink; next: PageLink | null; prev: PageLink | null }
}

interface PageLink {
  href: string
  type: string
}

/** `await` reads one page. `for await` reads every item, page by page. */
export interface List<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {}
