import { Overview } from '@/components/admin/overview.tsx'
import { Storefronts } from '@/components/admin/storefronts.tsx'
import { adminOverview, storefrontsPage } from '@/lib/admin/pages.ts'
import { cookiesOf } from '../cookies.ts'
import { titled } from '../title.ts'

export const metadata = titled('overview.heading')

/** The work that waits for an operator; for a member of a merchant, their storefronts. */
export default async function Page() {
  const cookies = await cookiesOf()
  const page = await adminOverview(cookies)
  if (page) return <Overview page={page} />
  const list = await storefrontsPage({}, cookies)
  return list && <Storefronts list={list} />
}
