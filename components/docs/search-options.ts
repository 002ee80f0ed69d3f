import type { Options } from 'minisearch'

/** A section of a page. `id` is the URL of the section. */
export interface SearchEntry {
  readonly id: string
  readonly page: string
  readonly heading: string
  readonly text: string
  readonly excerpt: string
}

/**
 * The code that builds the search index and the code that searches it must share these options. Both split text at
 * punctuation, so a search for `order.paid` looks for two words.
 */
export const searchOptions: Options<SearchEntry> = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading', 'excerpt'],
  searchOptions: { boost: { heading: 3, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
