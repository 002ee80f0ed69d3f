import { notFound } from 'next/navigation'
import { Events } from '@/components/admin/events.tsx'
import { eventsPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.events')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await eventsPage(place, await listParameters(searchParams), await cookiesOf())
  return page ? <Events page={page} path={pathOf(place)} /> : notFound()
}
