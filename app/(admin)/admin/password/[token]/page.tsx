import { NewPassword } from '@/components/admin/password.tsx'
import { passwordPage } from '@/lib/workflows/password-reset/hosted.ts'
import { first, type Query } from '../../cookies.ts'
import { titled } from '../../title.ts'

export const metadata = titled('password.heading')

/** An unknown link looks like one that is over; `proxy.ts` sets its status. */
export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ token: string }>
  searchParams: Query
}) {
  const { token } = await params
  const page = (await passwordPage(token)) ?? { state: 'over' }
  const problem = first((await searchParams).problem)
  return <NewPassword page={page} problem={problem} submitUrl={`/admin/password/${token}/submit`} />
}
