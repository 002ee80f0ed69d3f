import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { adminText as t } from '@/components/admin/text.ts'
import { NounPage } from '@/components/docs/docs-page.tsx'
import { reference } from '../reference.ts'

/** The same for everybody, so it is rendered once, at the build, for the nouns that there are. It has no scripts, which would need a nonce. */
export const dynamic = 'force-static'
export const dynamicParams = false

interface PageProps {
  params: Promise<{ noun: string }>
}

export const generateStaticParams = () => reference().nouns.map(({ slug }) => ({ noun: slug }))

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
