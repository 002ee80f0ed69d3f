import { notFound } from 'next/navigation'
import { Deliveries } from '@/components/admin/deliveries.tsx'
import { deliveriesPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.deliveries')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const parameters = await listParameters(searchParams)
  const list = await deliveriesPage(place, parameters, await cookiesOf())
  return list ? <Deliveries list={list} path={pathOf(place)} /> : notFound()
}
