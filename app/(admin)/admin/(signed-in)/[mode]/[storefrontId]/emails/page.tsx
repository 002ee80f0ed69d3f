import { notFound } from 'next/navigation'
import { Emails } from '@/components/admin/emails.tsx'
import { emailsPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.emails')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const parameters = await listParameters(searchParams)
  const list = await emailsPage(place, parameters, await cookiesOf())
  return list ? <Emails list={list} path={pathOf(place)} /> : notFound()
}
