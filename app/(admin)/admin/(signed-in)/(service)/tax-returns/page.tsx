import { notFound } from 'next/navigation'
import { TaxReturns } from '@/components/admin/tax-returns.tsx'
import { taxReturnsPage } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('taxReturns.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await taxReturnsPage(await listParameters(searchParams), await cookiesOf())
  return page ? <TaxReturns page={page} /> : notFound()
}
