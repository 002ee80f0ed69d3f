import { notFound } from 'next/navigation'
import { Event } from '@/components/admin/events.tsx'
import { eventPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, pathOf } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('storefront.nav.events')

export default async function Page({ params }: { params: Promise<StorefrontPath & { id: string }> }) {
  const { id, ...place } = await params
  const page = await eventPage(place, id, await cookiesOf())
  return page ? <Event page={page} path={pathOf(place)} /> : notFound()
}
