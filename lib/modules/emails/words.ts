export interface Words {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly tables?: readonly Table[]
  readonly closing?: readonly string[]
  readonly links?: readonly { readonly label: string; readonly url: string }[]
  readonly saysWhy?: true
  readonly action: { readonly label: string; readonly url: string } | null
  readonly appendix?: Table | null
}

export interface Table {
  readonly heading: string
  readonly isSum?: boolean
  readonly rows: readonly { readonly label: string; readonly value: string; readonly isTotal?: boolean }[]
  readonly note?: string
}
