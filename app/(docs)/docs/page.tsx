import type { Metadata } from 'next'
import { adminText as t } from '@/components/admin/text.ts'
import { DocsOverview } from '@/components/docs/docs-page.tsx'
import { reference } from './reference.ts'

/** The same for everybody, so it is rendered once, at the build. It has no scripts, which would need a nonce. */
export const dynamic = 'force-static'

export const metadata: Metadata = { title: t('docs.title') }

export default function Page() {
  return <DocsOverview reference={reference()} />
}
