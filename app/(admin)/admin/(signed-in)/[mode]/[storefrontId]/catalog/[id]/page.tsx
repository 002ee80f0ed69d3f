import { notFound } from 'next/navigation'
import { CatalogItemView } from '@/components/admin/catalog.tsx'
import { catalogItemPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('storefront.nav.catalog')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { id, ...place } = await params
  const page = await catalogItemPage(place, id, first((await searchParams).form), await cookiesOf())
  const outcome = await formResultOf(searchParams)
  return page ? <CatalogItemView outcome={outcome} page={page} path={pathOf(place)} /> : notFound()
}
