import type { Metadata } from 'next'
import { adminText as t } from '@/components/admin/text.ts'
import { DocsOverview } from '@/components/docs/docs-page.tsx'
import { DocsFrame } from '@/components/docs/frame.tsx'
import { config } from '@/lib/platform/config.ts'
import { reference } from '../reference.ts'
import { siteIndex } from '../site.ts'

/** Rendered for each request: the page contains the URL of the service, which is unknown at build time. */
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
