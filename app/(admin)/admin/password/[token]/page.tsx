import { NewPassword } from '@/components/admin/password.tsx'
import { loadPasswordReset } from '@/lib/workflows/password-reset/load-password-reset.ts'
import { loadPage } from '../../../../(hosted)/load-page.ts'
import { chooseLanguage, first, type Query } from '../../cookies.ts'
import { titled } from '../../title.ts'

export const generateMetadata = titled('password.heading')

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
  const { status, view } = await loadPage(`/admin/password/${token}`, () => loadPasswordReset(token))
  if (status === 503) throw new Error('The service did not respond.')
  const problem = first((await searchParams).problem)
  return (
    <NewPassword page={view ?? { state: 'over' }} problem={problem} submitUrl={`/admin/password/${token}/submit`} />
  )
}
