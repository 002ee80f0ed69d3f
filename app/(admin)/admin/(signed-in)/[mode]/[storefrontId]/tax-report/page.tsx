import { notFound } from 'next/navigation'
import { TaxReport } from '@/components/admin/tax-report.tsx'
import { type StorefrontPath, taxReportPage } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.tax-report')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await taxReportPage(place, await listParameters(searchParams), await cookiesOf())
  return page ? <TaxReport page={page} path={pathOf(place)} /> : notFound()
}
