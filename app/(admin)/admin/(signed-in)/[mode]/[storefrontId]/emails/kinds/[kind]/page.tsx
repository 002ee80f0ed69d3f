import { notFound } from 'next/navigation'
import { EmailPreview } from '@/components/admin/email-kinds.tsx'
import { emailPreviewPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, pathOf, type Query } from '../../../../../../cookies.ts'
import { titled } from '../../../../../../title.ts'

export const generateMetadata = titled('emailKinds.heading')

type Params = Promise<StorefrontPath & { kind: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { kind, ...place } = await params
  const page = await emailPreviewPage(place, kind, first((await searchParams).language), await cookiesOf())
  return page ? <EmailPreview page={page} path={pathOf(place)} /> : notFound()
}
