/** The words of one email, without the words that all emails share. */
export interface Words {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly tables?: readonly Table[]
  /** Paragraphs below the tables. */
  readonly closing?: readonly string[]
  /** Other pages that the reader may need. */
  readonly links?: readonly { readonly label: string; readonly url: string }[]
  /** The text already says why the reader gets the email. */
  readonly saysWhy?: true
  readonly action: { readonly label: string; readonly url: string } | null
  /** A table for later reference, below everything except the sender. */
  readonly appendix?: Table | null
}

export interface Table {
  readonly heading: string
  /** Whether the values are amounts that add up: they are right-aligned. */
  readonly isSum?: boolean
  readonly rows: readonly { readonly label: string; readonly value: string; readonly isTotal?: boolean }[]
  /** A note below the rows. */
  readonly note?: string
}
