import { Invitation } from '@/components/admin/invitation.tsx'
import { loadInvitation } from '@/lib/workflows/members/load-invitation.ts'
import { loadPage } from '../../../../(hosted)/load-page.ts'
import { chooseLanguage, first, type Query } from '../../cookies.ts'
import { titled } from '../../title.ts'

export const generateMetadata = titled('invitation.title')

/** An unknown link gets the same page as an expired link. `proxy.ts` sets the HTTP status. */
export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ token: string }>
  searchParams: Query
}) {
  await chooseLanguage()
  const { token } = await params
  const { status, view } = await loadPage(`/admin/invitation/${token}`, () => loadInvitation(token))
  if (status === 503) throw new Error('The service did not respond.')
  const problem = first((await searchParams).problem)
  return (
    <Invitation page={view ?? { state: 'over' }} problem={problem} submitUrl={`/admin/invitation/${token}/submit`} />
  )
}
