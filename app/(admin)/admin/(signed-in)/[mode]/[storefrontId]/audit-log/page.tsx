import { notFound } from 'next/navigation'
import { MerchantAudit } from '@/components/admin/merchant-audit.tsx'
import { merchantAuditPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('merchantAudit.heading')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const page = await merchantAuditPage(await params, await listParameters(searchParams), await cookiesOf())
  return page ? <MerchantAudit page={page} /> : notFound()
}
