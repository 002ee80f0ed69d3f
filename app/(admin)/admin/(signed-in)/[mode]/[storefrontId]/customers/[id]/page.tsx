import { notFound } from 'next/navigation'
import { Customer } from '@/components/admin/customers.tsx'
import { customerPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, pathOf } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('subscriptions.customer')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params }: { params: Params }) {
  const { id, ...place } = await params
  const page = await customerPage(place, id, await cookiesOf())
  return page ? <Customer page={page} path={pathOf(place)} /> : notFound()
}
