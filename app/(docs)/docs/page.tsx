import type { Metadata } from 'next'
import { adminText as t } from '@/components/admin/text.ts'
import { DocsOverview } from '@/components/docs/docs-page.tsx'
import { config } from '@/lib/platform/config.ts'
import { reference } from './reference.ts'

/** Rendered at each request: it contains the address of the service, which is unknown at build time. */
export const dynamic = 'force-dynamic'

export const metadata: Metadata = { title: t('docs.title') }

export default function Page() {
  return <DocsOverview baseUrl={config().publicBaseUrl} reference={reference()} />
}
