import { notFound } from 'next/navigation'
import { Suspension } from '@/components/admin/suspension.tsx'
import { type StorefrontPath, suspensionPage } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.suspension')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await suspensionPage(place, first((await searchParams).form), await cookiesOf())
  return page ? <Suspension outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
