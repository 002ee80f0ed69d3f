import { PortalEmail } from '@/components/portal/portal-email.tsx'
import { first, openEmail, type Query } from '../open-portal.ts'

export default async function Page({ searchParams }: { searchParams: Query }) {
  const { done, form } = await searchParams
  const opened = await openEmail(first(form))
  return opened.found === 'page' ? <PortalEmail notice={first(done)} page={opened.page} /> : null
}
