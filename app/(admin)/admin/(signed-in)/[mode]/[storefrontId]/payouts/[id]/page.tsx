import { notFound } from 'next/navigation'
import { Payout } from '@/components/admin/payout.tsx'
import { payoutPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, pathOf } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('balance.statement.kinds.payout')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params }: { params: Params }) {
  const { id, ...place } = await params
  const page = await payoutPage(place, id, await cookiesOf())
  return page ? <Payout page={page} path={pathOf(place)} /> : notFound()
}
