import { notFound } from 'next/navigation'
import { People } from '@/components/admin/people.tsx'
import { peoplePage } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('nav.people')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await peoplePage(first((await searchParams).form), await cookiesOf())
  return page ? <People outcome={await formResultOf(searchParams)} page={page} /> : notFound()
}
