import { PortalDocuments } from '@/components/portal/portal-documents.tsx'
import { first, openDocuments, type Query } from '../open-portal.ts'

export default async function Page({ searchParams }: { searchParams: Query }) {
  const opened = await openDocuments(first((await searchParams).before))
  return opened.found === 'page' ? <PortalDocuments page={opened.page} /> : null
}
