import { notFound } from 'next/navigation'
import { Catalog } from '@/components/admin/catalog.tsx'
import { catalogPage, type Place } from '@/lib/admin/hosted.ts'
import { cookiesOf, listParameters, outcomeOf, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const metadata = titled('storefront.nav.catalog')

export default async function Page({ params, searchParams }: { params: Promise<Place>; searchParams: Query }) {
  const place = await params
  const found = await catalogPage(place, await listParameters(searchParams), await cookiesOf())
  return found ? <Catalog {...found} outcome={await outcomeOf(searchParams)} path={pathOf(place)} /> : notFound()
}
