import { notFound } from 'next/navigation'
import { Statement } from '@/components/admin/statement.tsx'
import { type StorefrontPath, statementPage } from '@/lib/admin/pages.ts'
import { cookiesOf } from '../../../../../../cookies.ts'
import { titled } from '../../../../../../title.ts'

export const generateMetadata = titled('balance.statements')

export default async function Page({ params }: { params: Promise<StorefrontPath & { month: string }> }) {
  const { month, ...place } = await params
  const page = await statementPage(place, month, await cookiesOf())
  return page ? <Statement page={page} /> : notFound()
}
