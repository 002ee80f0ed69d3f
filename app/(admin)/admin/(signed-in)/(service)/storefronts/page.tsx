import { notFound } from 'next/navigation'
import { Storefronts } from '@/components/admin/storefronts.tsx'
import { storefrontsPage } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('storefronts.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const list = await storefrontsPage(await listParameters(searchParams), await cookiesOf())
  return list ? <Storefronts list={list} /> : notFound()
}
