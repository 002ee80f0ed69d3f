import { notFound } from 'next/navigation'
import { Email } from '@/components/admin/emails.tsx'
import { emailPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, pathOf, type Query } from '../../../../../cookies.ts'
import { titled } from '../../../../../title.ts'

export const generateMetadata = titled('storefront.nav.emails')

type Params = Promise<StorefrontPath & { id: string }>

export default async function Page({ params, searchParams }: { params: Params; searchParams: Query }) {
  const { id, ...place } = await params
  const page = await emailPage(place, id, await cookiesOf())
  return page ? <Email outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} /> : notFound()
}
