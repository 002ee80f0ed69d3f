import { notFound } from 'next/navigation'
import { Catalog } from '@/components/admin/catalog.tsx'
import { catalogPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.catalog')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const found = await catalogPage(place, await listParameters(searchParams), await cookiesOf())
  return found ? <Catalog {...found} outcome={await formResultOf(searchParams)} path={pathOf(place)} /> : notFound()
}
