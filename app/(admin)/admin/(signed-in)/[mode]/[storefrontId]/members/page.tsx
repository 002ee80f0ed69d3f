import { notFound } from 'next/navigation'
import { Members } from '@/components/admin/members.tsx'
import { membersPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.members')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await membersPage(place, first((await searchParams).form), await cookiesOf())
  return page ? <Members outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
