import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { adminText as t } from '@/components/admin/text.ts'
import { DocsFrame } from '@/components/docs/frame.tsx'
import { GuidePage } from '@/components/docs/guide-page.tsx'
import { markdownPathOf, pathOfPage } from '@/components/docs/navigation.ts'
import { reference } from './reference.ts'
import { siteIndex, sitePage } from './site.ts'

export async function guideMetadata(slug: string): Promise<Metadata> {
  const page = await sitePage(slug)
  if (!page) return { title: t('docs.notFound') }
  return {
    title: t('docs.titleOf', { page: page.title }),
    description: page.description,
    alternates: { canonical: pathOfPage(slug), types: { 'text/markdown': markdownPathOf(slug) } },
  }
}

export async function showGuide(slug: string) {
  const [site, page] = await Promise.all([siteIndex(), sitePage(slug)])
  if (!page) return notFound()
  const contents = page.headings.map(({ id, text, depth }) => ({ href: `#${id}`, label: text, isSub: depth === 3 }))
  return (
    <DocsFrame contents={contents} current={pathOfPage(slug)} nouns={reference().nouns} site={site}>
      <GuidePage page={page} repository={site.repository} />
    </DocsFrame>
  )
}
