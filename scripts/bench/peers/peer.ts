import type { Load } from '../load.ts'

/** Another shop system. The folder of the same name contains its pinned packages and its configuration. */
export interface Peer {
  readonly name: 'medusa' | 'vendure'
  /** The name in the table, without the version. */
  readonly title: string
  readonly pinned: string
  /** Programs that create the tables and accounts. They run in sequence before the start. */
  readonly prepare: readonly (readonly string[])[]
  readonly start: readonly string[]
  /** Creates sales over HTTP, as buyers do, and returns the requests to measure. */
  fill(origin: string): Promise<PeerRoutes>
}

type Route = Pick<Load, 'status' | 'requests' | 'refused'>

export interface PeerRoutes {
  readonly order: Route
  readonly orders: Route
  readonly cart: Route
}

export const orderCount = 50

// biome-ignore lint/suspicious/noExplicitAny: responses have every shape
export type Resource = any

export async function send(url: string, request: Omit<Load['requests'][number], 'path'>): Promise<SentAnswer> {
  const response = await fetch(url, request)
  const text = await response.text()
  if (!response.ok) throw new Error(`${request.method} ${url} answered ${response.status}: ${text.slice(0, 500)}`)
  return { body: text === '' ? undefined : JSON.parse(text), text, headers: response.headers }
}

interface SentAnswer {
  readonly body: Resource
  readonly text: string
  readonly headers: Headers
}
