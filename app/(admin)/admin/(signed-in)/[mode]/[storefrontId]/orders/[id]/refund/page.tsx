import { notFound } from 'next/navigation'
import { RefundPreview } from '@/components/admin/refund.tsx'
import { refundPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../../../cookies.ts'
import { titled } from '../../../../../../title.ts'

export const generateMetadata = titled('orders.refund')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { id, ...place } = await params
  const typed = Object.entries(await searchParams).map(([name, value]) => [name, first(value) ?? ''] as const)
  const page = await refundPage(place, id, typed, await cookiesOf())
  if (!page) notFound()
  return <RefundPreview outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} />
}
