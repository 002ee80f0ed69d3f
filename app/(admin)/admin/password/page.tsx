import { ForgottenPassword } from '@/components/admin/password.tsx'
import { typedAsForgotten } from '@/lib/workflows/password-reset/load-password-reset.ts'
import { cookiesOf, first, type Query } from '../cookies.ts'
import { titled } from '../title.ts'

export const generateMetadata = titled('password.forgottenHeading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const query = await searchParams
  const typed = typedAsForgotten(first(query.form), await cookiesOf())
  return <ForgottenPassword isSent={'sent' in query} problem={first(query.problem)} typed={typed} />
}
