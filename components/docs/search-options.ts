import type { Options } from 'minisearch'

/** A section of a page. `id` is its address. */
export interface SearchEntry {
  readonly id: string
  readonly page: string
  readonly heading: string
  readonly text: string
  readonly excerpt: string
}

/** The options of the index, which its reader needs too. Words split at punctuation, also `order.paid`. */
export const searchOptions: Options<SearchEntry> = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading', 'excerpt'],
  searchOptions: { boost: { heading: 3, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
