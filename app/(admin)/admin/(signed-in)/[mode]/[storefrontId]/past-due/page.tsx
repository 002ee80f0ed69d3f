import { notFound } from 'next/navigation'
import { PastDue } from '@/components/admin/past-due.tsx'
import { pastDuePage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.past-due')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const parameters = await listParameters(searchParams)
  const list = await pastDuePage(await params, parameters, await cookiesOf())
  return list ? <PastDue list={list} /> : notFound()
}
