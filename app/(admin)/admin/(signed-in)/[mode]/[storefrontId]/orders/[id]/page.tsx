import { notFound } from 'next/navigation'
import { Order } from '@/components/admin/order.tsx'
import { orderPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('orders.order')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { id, ...place } = await params
  const page = await orderPage(place, id, await cookiesOf(), first((await searchParams).form))
  return page ? <Order outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
