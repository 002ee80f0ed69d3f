import { SignIn } from '@/components/admin/sign-in.tsx'
import type { Query } from '../cookies.ts'

export default async function Page({ searchParams }: { searchParams: Query }) {
  const query = await searchParams
  return (
    <SignIn
      state={(['refused', 'busy', 'signed-out', 'password-set'] as const).find((each) => each in query) ?? null}
    />
  )
}
