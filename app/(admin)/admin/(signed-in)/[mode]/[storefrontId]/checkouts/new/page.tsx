import { notFound } from 'next/navigation'
import { NewCheckout } from '@/components/admin/checkouts.tsx'
import { newCheckoutPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('checkouts.new')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const form = await newCheckoutPage(place, first((await searchParams).form), await cookiesOf())
  return form ? <NewCheckout form={form} outcome={await formResultOf(searchParams)} path={pathOf(place)} /> : notFound()
}
