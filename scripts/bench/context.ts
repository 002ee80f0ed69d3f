import type { Round } from './figures.ts'
import type { Installation, Started } from './installation.ts'
import type { Load } from './load.ts'
import type { Program } from './program.ts'
import { type Api, apiOf, type Shop } from './shop.ts'

export interface Bench {
  readonly installation: Installation
  /** Environment variables of the service, also for further services. */
  readonly environment: Readonly<Record<string, string>>
  readonly api: Api
  readonly shop: Shop
  readonly loader: Program<Load, Round>
  readonly connections: number
  /** Database connections of the service and of its baseline. */
  readonly pool: number
  /** Registers a started program, to be stopped at the end. */
  readonly keep: <One extends Started>(one: One) => One
  /** Prints the current step. */
  readonly say: (sentence: string) => void
}

/** The same bench with another service on the database. The first service has ended. */
export function withService(bench: Bench, { baseUrl }: { readonly baseUrl: string }): Bench {
  const installation = { ...bench.installation, baseUrl }
  return { ...bench, installation, api: apiOf(baseUrl, installation.key) }
}
