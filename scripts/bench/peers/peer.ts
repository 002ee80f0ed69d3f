import type { Load } from '../load.ts'

/**
 * Another shop that the bench can measure. The folder of the same name has its pinned packages and its configuration.
 */
export interface Peer {
  readonly name: 'medusa' | 'vendure'
  /** The name in the table, followed by the version of `pinned`. */
  readonly title: string
  readonly pinned: string
  /** Programs of its folder that create the tables, run one after the other before the start. */
  readonly prepare: readonly (readonly string[])[]
  readonly start: readonly string[]
  /** Sells over HTTP like a shop, and returns the requests to measure. */
  fill(origin: string): Promise<PeerRoutes>
}

type Route = Pick<Load, 'status' | 'requests' | 'refused'>

/** The work that all peers share. */
export interface PeerRoutes {
  readonly order: Route
  readonly orders: Route
  readonly cart: Route
}

export const orderCount = 50

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Resource = any

/** Sends JSON. Throws if the status is not 200 or 201. */
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
