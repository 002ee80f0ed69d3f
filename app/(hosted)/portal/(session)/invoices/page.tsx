import { PortalDocuments } from '@/components/portal/portal-documents.tsx'
import { openDocuments, titleOf } from '../open-portal.ts'

export const generateMetadata = async () => titleOf(await openDocuments(), (t) => t('portal.documents.heading'))

export default async function Page() {
  const opened = await openDocuments()
  return opened.found === 'page' ? <PortalDocuments page={opened.page} /> : null
}
