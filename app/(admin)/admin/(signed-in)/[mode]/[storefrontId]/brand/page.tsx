import { notFound } from 'next/navigation'
import { Brand } from '@/components/admin/brand.tsx'
import { brandPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.brand')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await brandPage(place, await listParameters(searchParams), await cookiesOf())
  return page ? <Brand outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
