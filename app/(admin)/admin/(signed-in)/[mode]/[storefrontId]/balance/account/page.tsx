import { notFound } from 'next/navigation'
import { PayoutAccount } from '@/components/admin/payout-account.tsx'
import { payoutAccountPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('balance.bankAccount.heading')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await payoutAccountPage(place, first((await searchParams).form), await cookiesOf())
  return page ? (
    <PayoutAccount outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} />
  ) : (
    notFound()
  )
}
