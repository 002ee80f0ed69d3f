import { PortalSubscription } from '@/components/portal/portal-subscription.tsx'
import { NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import { first, type Query } from '../../../../open.ts'
import { openSubscription, titleOf } from '../../open-portal.ts'

type Props = { params: Promise<{ id: string }>; searchParams: Query }

export const generateMetadata = async ({ params }: Props) =>
  titleOf(await openSubscription((await params).id), (_, { subscription }) => subscription.name)

export default async function Page({ params, searchParams }: Props) {
  const opened = await openSubscription((await params).id)
  if (opened.found !== 'page') return <NotFoundPage />
  return <PortalSubscription notice={first((await searchParams).done)} page={opened.page} />
}
