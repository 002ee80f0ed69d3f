import { notFound } from 'next/navigation'
import { Deliveries } from '@/components/admin/deliveries.tsx'
import { deliveriesPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.deliveries')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const parameters = await listParameters(searchParams)
  const list = await deliveriesPage(place, parameters, await cookiesOf())
  const outcome = await formResultOf(searchParams)
  return list ? <Deliveries list={list} outcome={outcome} path={pathOf(place)} /> : notFound()
}
