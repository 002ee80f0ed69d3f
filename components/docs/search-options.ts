import type { Options } from 'minisearch'

/** A section of a page. `id` is the URL of the section. */
export interface SearchEntry {
  readonly id: string
  readonly page: string
  readonly heading: string
  readonly text: string
  readonly excerpt: string
}

/** The options of the search index. The code that reads the index needs the same options. Words are split at punctuation: `order.paid` becomes two words. */
export const searchOptions: Options<SearchEntry> = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading', 'excerpt'],
  searchOptions: { boost: { heading: 3, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
