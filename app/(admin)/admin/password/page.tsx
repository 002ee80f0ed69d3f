import { ForgottenPassword } from '@/components/admin/password.tsx'
import { first, type Query } from '../cookies.ts'
import { titled } from '../title.ts'

export const metadata = titled('password.forgottenHeading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const query = await searchParams
  return <ForgottenPassword isSent={'sent' in query} problem={first(query.problem)} />
}
