import type { Round } from './figures.ts'
import type { Installation, Started } from './installation.ts'
import type { Load } from './load.ts'
import type { Program } from './program.ts'
import { type Api, apiOf, type Shop } from './shop.ts'

/** What all measurements work with. */
export interface Bench {
  readonly installation: Installation
  /** Variables of the service, with which others like it are started. */
  readonly environment: Readonly<Record<string, string>>
  readonly api: Api
  readonly shop: Shop
  readonly loader: Program<Load, Round>
  /** Connections of the load. */
  readonly connections: number
  /** Database connections of the service, and of what it is compared with. */
  readonly pool: number
  /** Receives each started thing, to be stopped at the end. */
  readonly keep: <One extends Started>(one: One) => One
  /** Says what is being done. */
  readonly say: (sentence: string) => void
}

/** The same with another service on the database in place of the first, which has ended. */
export function withService(bench: Bench, { baseUrl }: { readonly baseUrl: string }): Bench {
  const installation = { ...bench.installation, baseUrl }
  return { ...bench, installation, api: apiOf(baseUrl, installation.key) }
}
