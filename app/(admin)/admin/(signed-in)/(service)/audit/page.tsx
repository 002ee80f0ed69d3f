import { notFound } from 'next/navigation'
import { AuditLog } from '@/components/admin/audit-log.tsx'
import { auditPage } from '@/lib/admin/pages.ts'
import { cookiesOf, listParameters, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('audit.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await auditPage(await listParameters(searchParams), await cookiesOf())
  return page ? <AuditLog page={page} /> : notFound()
}
