import { PortalCancel } from '@/components/portal/portal-cancel.tsx'
import { NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import { openCancel, titleOf } from '../../../open-portal.ts'

type Props = { params: Promise<{ id: string }> }

export const generateMetadata = async ({ params }: Props) =>
  titleOf(await openCancel((await params).id), (t, { subscription: { name } }) => t('portal.cancel.heading', { name }))

export default async function Page({ params }: Props) {
  const opened = await openCancel((await params).id)
  return opened.found === 'page' ? <PortalCancel page={opened.page} /> : <NotFoundPage />
}
