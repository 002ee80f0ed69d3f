import { PortalHome } from '@/components/portal/portal-home.tsx'
import { first, type Query } from '../../open.ts'
import { openOverview } from './open-portal.ts'

/** If there is no session, the layout shows another page instead of this page. */
export default async function Page({ searchParams }: { searchParams: Query }) {
  const opened = await openOverview()
  return opened.found === 'page' ? <PortalHome notice={first((await searchParams).done)} page={opened.page} /> : null
}
