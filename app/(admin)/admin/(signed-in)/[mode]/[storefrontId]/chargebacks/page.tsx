import { notFound } from 'next/navigation'
import { Chargebacks } from '@/components/admin/chargebacks.tsx'
import { chargebacksPage, type Place } from '@/lib/workflows/admin/hosted.ts'
import { cookiesOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const metadata = titled('storefront.nav.chargebacks')

export default async function Page({ params, searchParams }: { params: Promise<Place>; searchParams: Query }) {
  const place = await params
  const list = await chargebacksPage(place, await listParameters(searchParams), await cookiesOf())
  return list ? <Chargebacks list={list} path={pathOf(place)} /> : notFound()
}
