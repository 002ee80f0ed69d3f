import { AddPasskey } from '@/components/admin/passkeys.tsx'
import { addPasskeyPage } from '@/lib/workflows/passkeys/manage-passkeys.ts'
import { cookiesOf, first, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('passkeys.new.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const challenge = first((await searchParams).challenge) ?? ''
  return <AddPasskey page={await addPasskeyPage(challenge, await cookiesOf())} />
}
