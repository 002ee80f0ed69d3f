import { PortalDetails } from '@/components/portal/portal-details.tsx'
import { NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import { first, type Query } from '../../../open.ts'
import { openDetails, titleOf } from '../open-portal.ts'

export const generateMetadata = async () => titleOf(await openDetails(), (t) => t('portal.details.heading'))

export default async function Page({ searchParams }: { searchParams: Query }) {
  const opened = await openDetails()
  if (opened.found !== 'page') return <NotFoundPage />
  return <PortalDetails notice={first((await searchParams).done)} page={opened.page} />
}
