import { ForgottenPassword } from '@/components/admin/password.tsx'
import { first, type Query } from '../cookies.ts'

export default async function Page({ searchParams }: { searchParams: Query }) {
  const query = await searchParams
  return <ForgottenPassword isSent={'sent' in query} problem={first(query.problem)} />
}
