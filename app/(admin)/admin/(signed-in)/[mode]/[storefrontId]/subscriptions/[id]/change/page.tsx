import { notFound } from 'next/navigation'
import { SubscriptionChange } from '@/components/admin/subscription-change.tsx'
import { type StorefrontPath, subscriptionChangePage } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../../../cookies.ts'
import { titled } from '../../../../../../title.ts'

export const generateMetadata = titled('change.heading')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { id, ...place } = await params
  const typed = Object.entries(await searchParams).map(([name, value]) => [name, first(value) ?? ''])
  const page = await subscriptionChangePage(place, id, new URLSearchParams(typed), await cookiesOf())
  const outcome = await formResultOf(searchParams)
  return page ? <SubscriptionChange outcome={outcome} page={page} path={pathOf(place)} /> : notFound()
}
