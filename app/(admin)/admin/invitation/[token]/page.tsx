import { Invitation } from '@/components/admin/invitation.tsx'
import { invitationPage } from '@/lib/workflows/members/hosted.ts'
import { first, type Query } from '../../cookies.ts'
import { titled } from '../../title.ts'

export const metadata = titled('invitation.title')

/** An unknown link looks like one that is over; `proxy.ts` sets its status. */
export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ token: string }>
  searchParams: Query
}) {
  const { token } = await params
  const page = (await invitationPage(token)) ?? { state: 'over' }
  const problem = first((await searchParams).problem)
  return <Invitation page={page} problem={problem} submitUrl={`/admin/invitation/${token}/submit`} />
}
