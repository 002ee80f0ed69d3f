import { notFound } from 'next/navigation'
import { Customer } from '@/components/admin/customers.tsx'
import { customerPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('subscriptions.customer')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { id, ...place } = await params
  const page = await customerPage(place, id, await cookiesOf(), first((await searchParams).form))
  return page ? <Customer outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
