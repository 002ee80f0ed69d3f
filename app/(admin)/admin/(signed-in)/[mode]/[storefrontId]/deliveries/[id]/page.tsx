import { notFound } from 'next/navigation'
import { Delivery } from '@/components/admin/deliveries.tsx'
import { deliveryPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('storefront.nav.deliveries')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { id, ...place } = await params
  const page = await deliveryPage(place, id, await cookiesOf())
  return page ? <Delivery outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
