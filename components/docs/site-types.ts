/** The documentation as rendered by `scripts/docs`. */
export interface SiteIndex {
  /** The URL of the repository, for "Edit this page". */
  readonly repository: string | null
  readonly groups: readonly SiteGroup[]
}

interface SiteGroup {
  readonly title: string
  readonly pages: readonly SiteEntry[]
}

interface SiteEntry {
  readonly slug: string
  readonly label: string
  readonly title: string
  readonly description: string
}

export interface SitePage {
  readonly slug: string
  readonly file: string
  readonly title: string
  readonly description: string
  readonly html: string
  readonly headings: readonly { readonly id: string; readonly text: string; readonly depth: 2 | 3 }[]
}
