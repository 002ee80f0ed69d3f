import type { Metadata } from 'next'
import { cache } from 'react'
import { SecondFactor } from '@/components/admin/second-factor.tsx'
import { secondFactorPage } from '@/lib/modules/operators/hosted.ts'
import { cookiesOf, type Query } from '../cookies.ts'
import { titled } from '../title.ts'

const current = cache(async () => secondFactorPage(await cookiesOf()))

export async function generateMetadata(): Promise<Metadata> {
  const page = await current()
  return titled(page?.kind === 'set_up' ? 'secondFactor.setUp.heading' : 'secondFactor.heading')
}

/** `proxy.ts` leads everybody else elsewhere. */
export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await current()
  return page && <SecondFactor isRefused={'refused' in (await searchParams)} page={page} />
}
