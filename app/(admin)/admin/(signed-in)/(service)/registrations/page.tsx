import { notFound } from 'next/navigation'
import { Registrations } from '@/components/admin/registrations.tsx'
import { registrationsPage } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('nav.registrations')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await registrationsPage(first((await searchParams).form), await cookiesOf())
  return page ? <Registrations outcome={await formResultOf(searchParams)} page={page} /> : notFound()
}
