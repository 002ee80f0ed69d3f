import type { Metadata } from 'next'
import { adminText as t } from '@/components/admin/text.ts'
import { EventsPage } from '@/components/docs/docs-page.tsx'
import { DocsFrame } from '@/components/docs/frame.tsx'
import { reference } from '../reference.ts'
import { siteIndex } from '../site.ts'

export const dynamic = 'force-dynamic'

export const metadata: Metadata = { title: t('docs.referenceOf', { noun: t('docs.events') }) }

export default async function Page() {
  const { nouns, events } = reference()
  const contents = events.map(({ name }) => ({ href: `#${name}`, label: name }))
  return (
    <DocsFrame contents={contents} current="/docs/events" nouns={nouns} site={await siteIndex()}>
      <EventsPage events={events} />
    </DocsFrame>
  )
}
