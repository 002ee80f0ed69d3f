import { notFound } from 'next/navigation'
import { NewCatalogItem } from '@/components/admin/catalog.tsx'
import { newCatalogItemPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('storefront.nav.catalog')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const { kind, form } = await searchParams
  const found = await newCatalogItemPage(place, first(kind), first(form), await cookiesOf())
  return found ? (
    <NewCatalogItem form={found} outcome={await formResultOf(searchParams)} path={pathOf(place)} />
  ) : (
    notFound()
  )
}
