/** What an email says besides what all emails say. */
export interface Words {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly tables?: readonly Table[]
  /** What follows the tables. */
  readonly closing?: readonly string[]
  /** Other pages that the reader may need. */
  readonly links?: readonly { readonly label: string; readonly url: string }[]
  /** It says itself why its reader gets it. */
  readonly saysWhy?: true
  /** The button. */
  readonly action: { readonly label: string; readonly url: string } | null
  /** What is kept for later, below all else but who wrote. */
  readonly appendix?: Table | null
}

export interface Table {
  readonly heading: string
  /** Whether the values are amounts that add up: they end at the same edge. */
  readonly isSum?: boolean
  readonly rows: readonly { readonly label: string; readonly value: string; readonly isTotal?: boolean }[]
  /** What is said below the rows. */
  readonly note?: string
}
