import { PortalCancel } from '@/components/portal/portal-cancel.tsx'
import { NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import { openCancel } from '../../../open-portal.ts'

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const opened = await openCancel((await params).id)
  return opened.found === 'page' ? <PortalCancel page={opened.page} /> : <NotFoundPage />
}
