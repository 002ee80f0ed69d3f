import { notFound } from 'next/navigation'
import { Thresholds } from '@/components/admin/thresholds.tsx'
import { thresholdsPage } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('thresholds.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await thresholdsPage(await listParameters(searchParams), await cookiesOf())
  return page ? <Thresholds page={page} /> : notFound()
}
