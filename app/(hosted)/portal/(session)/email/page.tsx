import { PortalEmail } from '@/components/portal/portal-email.tsx'
import { first, type Query } from '../../../open.ts'
import { openEmail, titleOf } from '../open-portal.ts'

export const generateMetadata = async ({ searchParams }: { searchParams: Query }) =>
  titleOf(await openEmail(first((await searchParams).form)), (t) => t('portal.email.heading'))

export default async function Page({ searchParams }: { searchParams: Query }) {
  const { done, form } = await searchParams
  const opened = await openEmail(first(form))
  return opened.found === 'page' ? <PortalEmail notice={first(done)} page={opened.page} /> : null
}
