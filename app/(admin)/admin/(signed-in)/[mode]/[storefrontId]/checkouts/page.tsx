import { notFound } from 'next/navigation'
import { Checkouts } from '@/components/admin/checkouts.tsx'
import { checkoutsPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.checkouts')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const found = await checkoutsPage(place, await listParameters(searchParams), await cookiesOf())
  return found ? <Checkouts {...found} path={pathOf(place)} /> : notFound()
}
