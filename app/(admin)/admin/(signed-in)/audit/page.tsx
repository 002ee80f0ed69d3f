import { notFound } from 'next/navigation'
import { AuditLog } from '@/components/admin/audit-log.tsx'
import { auditPage } from '@/lib/workflows/admin/hosted.ts'
import { cookiesOf, first, type Query } from '../../cookies.ts'

export default async function Page({ searchParams }: { searchParams: Query }) {
  const before = first((await searchParams).before)
  const page = await auditPage(before, await cookiesOf())
  return page ? <AuditLog entries={page.entries} isNewest={before === null} olderUrl={page.olderUrl} /> : notFound()
}
