import { notFound } from 'next/navigation'
import { EmailKinds } from '@/components/admin/email-kinds.tsx'
import { emailKindsPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('emailKinds.heading')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await emailKindsPage(place, await cookiesOf())
  return page ? <EmailKinds outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
