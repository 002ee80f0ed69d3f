import { SecondFactor } from '@/components/admin/second-factor.tsx'
import { secondFactorPage } from '@/lib/modules/operators/hosted.ts'
import { cookiesOf, type Query } from '../cookies.ts'
import { titled } from '../title.ts'

export const metadata = titled('secondFactor.heading')

/** `proxy.ts` leads everybody else elsewhere. */
export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await secondFactorPage(await cookiesOf())
  return page && <SecondFactor isRefused={'refused' in (await searchParams)} page={page} />
}
