import { Overview } from '@/components/admin/overview.tsx'
import { adminOverview } from '@/lib/workflows/admin/hosted.ts'
import { cookiesOf } from '../cookies.ts'

export default async function Page() {
  const page = await adminOverview(await cookiesOf())
  return page && <Overview page={page} />
}
