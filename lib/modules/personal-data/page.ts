interface CustomerOfPage {
  readonly id: string
  readonly name: string | null
  readonly email: string
  readonly storefront: string
  readonly mode: 'test' | 'live'
  readonly url: string
}

/** The page on which staff exports or erases the data of a customer. Times are ISO 8601 in UTC. */
export interface PersonalDataPage {
  /** The address or id that was looked for. */
  readonly q: string
  /** The customers with it; null if nothing was looked for. */
  readonly found: readonly CustomerOfPage[] | null
  readonly customer:
    | (CustomerOfPage & {
        readonly erasedAt: string | null
        /** What must end before an erasure, at most 20. */
        readonly obstacles: readonly string[]
        readonly exportUrl: string
      })
    | null
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}
