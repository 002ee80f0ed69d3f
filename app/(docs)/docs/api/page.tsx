import type { Metadata } from 'next'
import { adminText as t } from '@/components/admin/text.ts'
import { DocsOverview } from '@/components/docs/docs-page.tsx'
import { DocsFrame } from '@/components/docs/frame.tsx'
import { config } from '@/lib/platform/config.ts'
import { reference } from '../reference.ts'
import { siteIndex } from '../site.ts'

/** The page contains the URL of the service, which is unknown at build time. Therefore the page is rendered for each request. */
export const dynamic = 'force-dynamic'

export const metadata: Metadata = { title: t('docs.title') }

export default async function Page() {
  const all = reference()
  return (
    <DocsFrame current="/docs/api" nouns={all.nouns} site={await siteIndex()}>
      <DocsOverview baseUrl={config().publicBaseUrl} reference={all} />
    </DocsFrame>
  )
}
