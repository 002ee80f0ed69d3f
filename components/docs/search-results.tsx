'use client'
import MiniSearch from 'minisearch'
import { useEffect, useState } from 'react'
import { type SearchEntry, searchOptions } from './search-options.ts'

interface Texts {
  readonly label: string
  readonly none: string
  readonly failed: string
  /** The number of results as text, with the placeholder `{count}`. */
  readonly found: string
}

type Found = Pick<SearchEntry, 'id' | 'page' | 'heading' | 'excerpt'>

const most = 20

export function SearchResults({ initial, texts }: { initial: string; texts: Texts }) {
  const [query, setQuery] = useState(initial)
  const [index, setIndex] = useState<MiniSearch<SearchEntry> | 'failed' | null>(null)
  useEffect(() => {
    fetch('/docs/search-index.json')
      .then((response) => response.text())
      .then((text) => setIndex(MiniSearch.loadJSON(text, searchOptions)))
      .catch(() => setIndex('failed'))
  }, [])
  const isReady = index !== null && index !== 'failed' && query.trim() !== ''
  const found = isReady ? (index.search(query).slice(0, most) as unknown as Found[]) : []
  const words = () => {
    if (index === 'failed') return texts.failed
    if (!isReady) return ''
    return found.length === 0 ? texts.none : texts.found.replace('{count}', String(found.length))
  }
  return (
    <>
      <input
        aria-label={texts.label}
        className="docs-query"
        name="q"
        onChange={({ target }) => setQuery(target.value)}
        placeholder={texts.label}
        type="search"
        value={query}
      />
      <p aria-live="polite" className="my-4 text-note text-soft">
        {words()}
      </p>
      <ul className="grid gap-5">
        {found.map(({ id, page, heading, excerpt }) => (
          <li key={id}>
            <a href={id}>{heading === page ? page : `${page}: ${heading}`}</a>
            <p className="text-note text-soft">{excerpt}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
