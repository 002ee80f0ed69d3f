import { notFound } from 'next/navigation'
import { PersonalData } from '@/components/admin/personal-data.tsx'
import { personalDataPage } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, listParameters, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('nav.personal-data')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await personalDataPage(await listParameters(searchParams), await cookiesOf())
  return page ? <PersonalData outcome={await formResultOf(searchParams)} page={page} /> : notFound()
}
