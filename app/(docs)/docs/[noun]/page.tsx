import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { adminText as t } from '@/components/admin/text.ts'
import { NounPage } from '@/components/docs/docs-page.tsx'
import { reference } from '../reference.ts'

// Each response has a nonce for the scripts of Next.js, so the page cannot be made at build time.
export const dynamic = 'force-dynamic'

interface PageProps {
  params: Promise<{ noun: string }>
}

async function found({ params }: PageProps) {
  const { noun: asked } = await params
  const all = reference()
  const noun = all.nouns.find(({ slug }) => slug === asked)
  return noun ? { reference: all, noun } : notFound()
}

export async function generateMetadata(props: PageProps): Promise<Metadata> {
  const { noun } = await found(props)
  return { title: t('docs.titleOf', { noun: noun.name }) }
}

export default async function Page(props: PageProps) {
  return <NounPage {...(await found(props))} />
}
