import type { Metadata } from 'next'
import { adminText as t } from '@/components/admin/text.ts'
import { NounPage } from '@/components/docs/docs-page.tsx'
import { DocsFrame } from '@/components/docs/frame.tsx'
import { guideMetadata, showGuide } from '../guide.tsx'
import { reference } from '../reference.ts'
import { siteIndex } from '../site.ts'

// The page is rendered for each request, because the scripts of Next.js need the nonce of the response. Only the text of the guides is rendered at build time.
export const dynamic = 'force-dynamic'

interface PageProps {
  params: Promise<{ slug: string[] }>
}

const pathOf = async ({ params }: PageProps): Promise<string> => (await params).slug.join('/')

const nounOf = (slug: string) => reference().nouns.find((noun) => noun.slug === slug)

export async function generateMetadata(props: PageProps): Promise<Metadata> {
  const slug = await pathOf(props)
  const noun = nounOf(slug)
  return noun ? { title: t('docs.referenceOf', { noun: noun.name }) } : guideMetadata(slug)
}

export default async function Page(props: PageProps) {
  const slug = await pathOf(props)
  const noun = nounOf(slug)
  if (!noun) return showGuide(slug)
  const contents = noun.operations.map(({ id, summary }) => ({ href: `#${id}`, label: summary.replace(/\.$/, '') }))
  return (
    <DocsFrame contents={contents} current={`/docs/${slug}`} nouns={reference().nouns} site={await siteIndex()}>
      <NounPage noun={noun} reference={reference()} />
    </DocsFrame>
  )
}
