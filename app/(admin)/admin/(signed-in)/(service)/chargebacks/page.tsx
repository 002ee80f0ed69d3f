import { notFound } from 'next/navigation'
import { OpenDisputes } from '@/components/admin/chargebacks.tsx'
import { openDisputesPage } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('nav.disputes')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await openDisputesPage(await listParameters(searchParams), await cookiesOf())
  return page ? <OpenDisputes page={page} /> : notFound()
}
