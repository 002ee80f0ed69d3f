import { PortalDocuments } from '@/components/portal/portal-documents.tsx'
import { first, type Query } from '../../../open.ts'
import { openDocuments, titleOf } from '../open-portal.ts'

export const generateMetadata = async ({ searchParams }: { searchParams: Query }) =>
  titleOf(await openDocuments(first((await searchParams).before)), (t) => t('portal.documents.heading'))

export default async function Page({ searchParams }: { searchParams: Query }) {
  const opened = await openDocuments(first((await searchParams).before))
  return opened.found === 'page' ? <PortalDocuments page={opened.page} /> : null
}
