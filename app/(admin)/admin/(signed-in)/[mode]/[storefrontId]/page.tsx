import { notFound } from 'next/navigation'
import { Home } from '@/components/admin/home.tsx'
import { type StorefrontPath, storefrontOverview } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, listParameters, pathOf, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('storefront.nav.overview')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const overview = await storefrontOverview(place, await listParameters(searchParams), await cookiesOf())
  const outcome = await formResultOf(searchParams)
  return overview ? <Home outcome={outcome} overview={overview} path={pathOf(place)} /> : notFound()
}
