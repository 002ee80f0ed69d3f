import { notFound } from 'next/navigation'
import { Clock } from '@/components/admin/clock.tsx'
import { clockPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.clock')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await clockPage(place, first((await searchParams).by), await cookiesOf())
  return page ? <Clock outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
