import { Sessions } from '@/components/admin/sessions.tsx'
import { sessionsPage } from '@/lib/modules/operators/manage-sessions.ts'
import { passkeyRows } from '@/lib/workflows/passkeys/manage-passkeys.ts'
import { cookiesOf, formResultOf, type Query } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('sessions.heading')

export default async function Page({ searchParams }: { searchParams: Query }) {
  const cookies = await cookiesOf()
  const [page, passkeys] = await Promise.all([sessionsPage(cookies), passkeyRows(cookies)])
  return page && passkeys && <Sessions outcome={await formResultOf(searchParams)} page={page} passkeys={passkeys} />
}
