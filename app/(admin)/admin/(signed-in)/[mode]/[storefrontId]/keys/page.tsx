import { notFound } from 'next/navigation'
import { Keys } from '@/components/admin/keys.tsx'
import { keysPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.keys')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await keysPage(place, first((await searchParams).form), await cookiesOf())
  return page ? <Keys outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
