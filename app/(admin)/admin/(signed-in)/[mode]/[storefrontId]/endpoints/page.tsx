import { notFound } from 'next/navigation'
import { Endpoints } from '@/components/admin/endpoints.tsx'
import { endpointsPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.endpoints')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await endpointsPage(place, first((await searchParams).form), await cookiesOf())
  return page ? <Endpoints outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
