import type { Metadata } from 'next'
import { adminText as t } from '@/components/admin/text.ts'
import { DocsFrame } from '@/components/docs/frame.tsx'
import { SearchResults } from '@/components/docs/search-results.tsx'
import { reference } from '../reference.ts'
import { siteIndex } from '../site.ts'

export const dynamic = 'force-dynamic'

export const metadata: Metadata = { title: t('docs.titleOf', { page: t('docs.search') }), robots: { index: false } }

export default async function Page({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  const { q } = await searchParams
  const texts = {
    label: t('docs.search'),
    none: t('docs.foundNone'),
    failed: t('docs.searchFailed'),
    found: t('docs.found', { count: '{count}' }),
  }
  return (
    <DocsFrame current="/docs/search" nouns={reference().nouns} site={await siteIndex()}>
      <h1 className="mb-6 font-semibold text-title">{t('docs.search')}</h1>
      <noscript>
        <p>{t('docs.searchNeedsScript')}</p>
      </noscript>
      <SearchResults initial={String(q ?? '')} texts={texts} />
    </DocsFrame>
  )
}
