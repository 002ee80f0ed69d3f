import { notFound } from 'next/navigation'
import { Subscriptions } from '@/components/admin/subscriptions.tsx'
import { type StorefrontPath, subscriptionsPage } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.subscriptions')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const parameters = await listParameters(searchParams)
  const list = await subscriptionsPage(place, parameters, await cookiesOf())
  return list ? <Subscriptions list={list} path={pathOf(place)} /> : notFound()
}
