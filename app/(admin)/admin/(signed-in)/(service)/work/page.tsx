import { notFound } from 'next/navigation'
import { Work } from '@/components/admin/work.tsx'
import { workPage } from '@/lib/admin/pages.ts'
import { cookiesOf } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('work.heading')

export default async function Page() {
  const page = await workPage(await cookiesOf())
  return page ? <Work page={page} /> : notFound()
}
