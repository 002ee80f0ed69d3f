import { notFound } from 'next/navigation'
import { PaymentLinks } from '@/components/admin/payment-links.tsx'
import { paymentLinksPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.payment-links')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const found = await paymentLinksPage(place, await listParameters(searchParams), await cookiesOf())
  return found ? <PaymentLinks {...found} path={pathOf(place)} /> : notFound()
}
