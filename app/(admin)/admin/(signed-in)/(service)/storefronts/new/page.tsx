import { notFound } from 'next/navigation'
import { NewStorefront } from '@/components/admin/new-storefront.tsx'
import { newStorefrontPage } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('newStorefront.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const { merchant, form } = await searchParams
  const page = await newStorefrontPage(first(merchant), first(form), await cookiesOf())
  return page ? <NewStorefront outcome={await formResultOf(searchParams)} page={page} /> : notFound()
}
