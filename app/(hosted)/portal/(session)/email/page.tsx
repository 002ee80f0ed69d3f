import { PortalEmail } from '@/components/portal/portal-email.tsx'
import { first, type Query } from '../../../open.ts'
import { openEmail, titleOf } from '../open-portal.ts'

export const generateMetadata = async () => titleOf(await openEmail(), (t) => t('portal.email.heading'))

export default async function Page({ searchParams }: { searchParams: Query }) {
  const opened = await openEmail()
  if (opened.found !== 'page') return null
  return <PortalEmail notice={first((await searchParams).done)} page={opened.page} />
}
