import type { Obstacle } from './rules/erasure.ts'

interface CustomerOfPage {
  readonly id: string
  readonly name: string | null
  readonly email: string
  readonly storefront: string
  readonly mode: 'test' | 'live'
  readonly url: string
}

/** Times are ISO 8601 in UTC. */
export interface PersonalDataPage {
  readonly q: string
  readonly found: readonly CustomerOfPage[] | null
  readonly customer:
    | (CustomerOfPage & {
        readonly erasedAt: string | null
        /** At most 20 contracts and payments that must end before the data can be erased. */
        readonly obstacles: readonly Obstacle[]
        readonly exportUrl: string
      })
    | null
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}
