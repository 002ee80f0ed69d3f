import { notFound } from 'next/navigation'
import { NewPaymentLink } from '@/components/admin/payment-links.tsx'
import { newPaymentLinkPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('paymentLinks.new')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const form = await newPaymentLinkPage(place, first((await searchParams).form), await cookiesOf())
  const outcome = await formResultOf(searchParams)
  return form ? <NewPaymentLink form={form} outcome={outcome} path={pathOf(place)} /> : notFound()
}
