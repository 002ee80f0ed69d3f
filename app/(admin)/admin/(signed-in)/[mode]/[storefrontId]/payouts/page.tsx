import { notFound } from 'next/navigation'
import { Payouts } from '@/components/admin/payouts.tsx'
import { payoutsPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.payouts')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await payoutsPage(place, await listParameters(searchParams), await cookiesOf())
  return page ? <Payouts outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
