import { notFound } from 'next/navigation'
import { Chargeback } from '@/components/admin/chargeback.tsx'
import { chargebackPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, listParameters, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('chargebacks.chargeback')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { id, ...place } = await params
  const page = await chargebackPage(place, id, await listParameters(searchParams), await cookiesOf())
  const outcome = await formResultOf(searchParams)
  return page ? <Chargeback outcome={outcome} page={page} path={pathOf(place)} /> : notFound()
}
