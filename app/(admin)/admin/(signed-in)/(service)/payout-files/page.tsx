import { notFound } from 'next/navigation'
import { PayoutFiles } from '@/components/admin/payout-files.tsx'
import { payoutFilesPage } from '@/lib/admin/pages.ts'
import { cookiesOf, first, formResultOf, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('nav.payout-files')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await payoutFilesPage(first((await searchParams).form), await cookiesOf())
  return page ? <PayoutFiles outcome={await formResultOf(searchParams)} page={page} /> : notFound()
}
