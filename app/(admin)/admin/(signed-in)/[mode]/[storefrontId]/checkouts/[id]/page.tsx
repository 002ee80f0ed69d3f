import { notFound } from 'next/navigation'
import { Checkout } from '@/components/admin/checkouts.tsx'
import { checkoutLinkPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('checkouts.checkout')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { id, ...place } = await params
  const page = await checkoutLinkPage(place, id, await cookiesOf())
  const outcome = await formResultOf(searchParams)
  return page ? <Checkout outcome={outcome} page={page} path={pathOf(place)} /> : notFound()
}
