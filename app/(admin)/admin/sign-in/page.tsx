import { SignIn } from '@/components/admin/sign-in.tsx'
import { typedAtSignIn } from '@/lib/modules/operators/hosted.ts'
import { logInOptions } from '@/lib/workflows/passkeys/hosted.ts'
import { cookiesOf, first, type Query } from '../cookies.ts'
import { titled } from '../title.ts'

export const metadata = titled('signIn.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const query = await searchParams
  const states = ['refused', 'passkey-refused', 'busy', 'signed-out', 'password-set'] as const
  const typed = typedAtSignIn(first(query.form), await cookiesOf())
  return <SignIn passkey={await logInOptions()} state={states.find((each) => each in query) ?? null} typed={typed} />
}
