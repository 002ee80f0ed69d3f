import type { Round } from './figures.ts'
import type { Installation, Started } from './installation.ts'
import type { Load } from './load.ts'
import type { Program } from './program.ts'
import { type Api, apiOf, type Shop } from './shop.ts'

export interface Bench {
  readonly installation: Installation
  readonly environment: Readonly<Record<string, string>>
  readonly api: Api
  readonly shop: Shop
  readonly loader: Program<Load, Round>
  readonly connections: number
  readonly pool: number
  /** Registers a program that is stopped at the end of the run. */
  readonly keep: <One extends Started>(one: One) => One
  readonly say: (sentence: string) => void
}

/** Returns a copy of the bench that sends requests to another service on the same database. */
export function withService(bench: Bench, { baseUrl }: { readonly baseUrl: string }): Bench {
  const installation = { ...bench.installation, baseUrl }
  return { ...bench, installation, api: apiOf(baseUrl, installation.key) }
}
