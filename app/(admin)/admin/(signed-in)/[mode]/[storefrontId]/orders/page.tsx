import { notFound } from 'next/navigation'
import { Orders } from '@/components/admin/orders.tsx'
import { ordersPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('orders.heading')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const parameters = await listParameters(searchParams)
  const list = await ordersPage(place, parameters, await cookiesOf())
  return list ? <Orders list={list} path={pathOf(place)} /> : notFound()
}
