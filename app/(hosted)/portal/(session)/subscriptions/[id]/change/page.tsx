import { PortalChange } from '@/components/portal/portal-change.tsx'
import { NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import { openChange, titleOf } from '../../../open-portal.ts'

type Props = { params: Promise<{ id: string }> }

export const generateMetadata = async ({ params }: Props) =>
  titleOf(await openChange((await params).id), (t, { subscription: { name } }) => t('portal.change.title', { name }))

export default async function Page({ params }: Props) {
  const opened = await openChange((await params).id)
  return opened.found === 'page' ? <PortalChange page={opened.page} /> : <NotFoundPage />
}
