import { notFound } from 'next/navigation'
import { Balance } from '@/components/admin/balance.tsx'
import { balancePage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.balance')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await balancePage(place, await listParameters(searchParams), await cookiesOf())
  return page ? <Balance page={page} path={pathOf(place)} /> : notFound()
}
