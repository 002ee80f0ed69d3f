import { notFound } from 'next/navigation'
import { Search } from '@/components/admin/search.tsx'
import { searchPage } from '@/lib/admin/pages.ts'
import { cookiesOf, first, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('search.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await searchPage(first((await searchParams).q), await cookiesOf())
  return page ? <Search page={page} /> : notFound()
}
