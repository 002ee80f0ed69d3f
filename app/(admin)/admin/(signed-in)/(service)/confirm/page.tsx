import { notFound } from 'next/navigation'
import { Confirm } from '@/components/admin/confirm.tsx'
import { canConfirm } from '@/lib/modules/operators/manage-sessions.ts'
import { cookiesOf, first, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('confirm.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const query = await searchParams
  const to = first(query.to) ?? ''
  return (await canConfirm(to, await cookiesOf())) ? <Confirm isRefused={'refused' in query} to={to} /> : notFound()
}
