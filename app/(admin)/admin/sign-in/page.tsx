import { SignIn } from '@/components/admin/sign-in.tsx'
import { typedAtSignIn, wantedPage } from '@/lib/modules/operators/manage-sessions.ts'
import { logInOptions } from '@/lib/workflows/passkeys/manage-passkeys.ts'
import { cookiesOf, first, type Query } from '../cookies.ts'
import { titled } from '../title.ts'

export const generateMetadata = titled('signIn.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const query = await searchParams
  const states = ['refused', 'passkey-refused', 'busy', 'signed-out', 'password-set'] as const
  const typed = typedAtSignIn(first(query.form), await cookiesOf())
  const state = states.find((each) => each in query) ?? null
  return <SignIn passkey={await logInOptions()} state={state} to={wantedPage(first(query.to))} typed={typed} />
}
