import { redirect } from 'next/navigation'
import { Inbox } from '@/components/admin/inbox.tsx'
import { Storefronts } from '@/components/admin/storefronts.tsx'
import { homeOfMember, inboxPage, storefrontsPage } from '@/lib/admin/pages.ts'
import { cookiesOf } from '../../cookies.ts'
import { titled } from '../../title.ts'

export const generateMetadata = titled('inbox.heading')

/** Staff members see the inbox. A member of a merchant is redirected to a storefront, or sees an empty list if the merchant has no storefront. */
export default async function Page() {
  const cookies = await cookiesOf()
  const page = await inboxPage(cookies)
  if (page) return <Inbox page={page} />
  const home = await homeOfMember(cookies)
  if (home) redirect(home)
  const list = await storefrontsPage({}, cookies)
  return list && <Storefronts list={list} />
}
