import { notFound } from 'next/navigation'
import { PaymentLink } from '@/components/admin/payment-link.tsx'
import { paymentLinkPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('paymentLinks.paymentLink')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { id, ...place } = await params
  const page = await paymentLinkPage(place, id, await cookiesOf())
  const outcome = await formResultOf(searchParams)
  return page ? <PaymentLink outcome={outcome} page={page} path={pathOf(place)} /> : notFound()
}
