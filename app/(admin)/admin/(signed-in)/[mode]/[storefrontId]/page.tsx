import { notFound } from 'next/navigation'
import { StorefrontSummary } from '@/components/admin/storefronts.tsx'
import { type Place, storefrontOverview } from '@/lib/workflows/admin/hosted.ts'
import { cookiesOf, pathOf } from '../../../cookies.ts'

export default async function Page({ params }: { params: Promise<Place> }) {
  const place = await params
  const overview = await storefrontOverview(place, await cookiesOf())
  return overview ? <StorefrontSummary overview={overview} path={pathOf(place)} /> : notFound()
}
