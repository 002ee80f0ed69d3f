import { notFound } from 'next/navigation'
import { Subscription } from '@/components/admin/subscription.tsx'
import { type StorefrontPath, subscriptionPage } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('subscriptions.subscription')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { id, ...place } = await params
  const { changed, form } = await searchParams
  const left = { changed: first(changed), form: first(form) }
  const page = await subscriptionPage(place, id, await cookiesOf(), left)
  return page ? (
    <Subscription outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} />
  ) : (
    notFound()
  )
}
