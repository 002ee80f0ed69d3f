import { notFound } from 'next/navigation'
import { Customers } from '@/components/admin/customers.tsx'
import { customersPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.customers')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const parameters = await listParameters(searchParams)
  const list = await customersPage(place, parameters, await cookiesOf())
  return list ? <Customers email={parameters.email ?? null} list={list} path={pathOf(place)} /> : notFound()
}
