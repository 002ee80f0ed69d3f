import type { Metadata } from 'next'
import { cache } from 'react'
import { SecondFactor } from '@/components/admin/second-factor.tsx'
import { secondFactorPage, wantedPage } from '@/lib/modules/operators/manage-sessions.ts'
import { cookiesOf, first, type Query } from '../cookies.ts'
import { titled } from '../title.ts'

const current = cache(async () => secondFactorPage(await cookiesOf()))

export async function generateMetadata(): Promise<Metadata> {
  const page = await current()
  return titled(page?.kind === 'set_up' ? 'secondFactor.setUp.heading' : 'secondFactor.heading')()
}

/** Only a browser that has completed the first log-in step sees this page. `proxy.ts` redirects all other browsers. */
export default async function Page({ searchParams }: { searchParams: Query }) {
  const page = await current()
  const query = await searchParams
  return page && <SecondFactor isRefused={'refused' in query} page={page} to={wantedPage(first(query.to))} />
}
