import { notFound } from 'next/navigation'
import { Chargebacks } from '@/components/admin/chargebacks.tsx'
import { chargebacksPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.chargebacks')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await chargebacksPage(place, await listParameters(searchParams), await cookiesOf())
  return page ? <Chargebacks outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
