import { notFound } from 'next/navigation'
import { Invariants } from '@/components/admin/invariants.tsx'
import { invariantsPage } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('invariants.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await invariantsPage(await cookiesOf())
  return page ? <Invariants outcome={await formResultOf(searchParams)} page={page} /> : notFound()
}
