import { Sessions } from '@/components/admin/sessions.tsx'
import { sessionsPage } from '@/lib/modules/operators/hosted.ts'
import { cookiesOf } from '../../cookies.ts'

export default async function Page() {
  const page = await sessionsPage(await cookiesOf())
  return page && <Sessions page={page} />
}
