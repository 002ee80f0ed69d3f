import type { Load } from '../load.ts'

/** Another shop that the bench can measure. Its folder of the same name has its pinned packages and its configuration. */
export interface Peer {
  readonly name: 'medusa' | 'vendure'
  /** As the table names it; the version of `pinned` comes after it. */
  readonly title: string
  readonly pinned: string
  /** Programs of its folder, run one after the other before the start: they make the tables. */
  readonly prepare: readonly (readonly string[])[]
  readonly start: readonly string[]
  /** Sells over HTTP, as its shops do, and returns what to ask for. */
  fill(origin: string): Promise<PeerRoutes>
}

type Route = Pick<Load, 'status' | 'requests' | 'refused'>

/** The work that all of them have in common. */
export interface PeerRoutes {
  /** One of fifty orders, with its lines. */
  readonly order: Route
  /** The newest ten orders with their lines. */
  readonly orders: Route
  /** A new cart with two products. */
  readonly cart: Route
}

/** The orders that a peer is filled with. */
export const orderCount = 50

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Resource = any

/** Sends JSON. Throws if the answer has another status than 200 or 201. */
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
