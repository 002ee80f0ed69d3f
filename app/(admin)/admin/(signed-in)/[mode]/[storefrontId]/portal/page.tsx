import { notFound } from 'next/navigation'
import { PortalSetting } from '@/components/admin/portal.tsx'
import { portalPage, type StorefrontPath } from '@/lib/admin/pages.ts'
import { cookiesOf, formResultOf, pathOf, type Query } from '../../../../cookies.ts'
import { titled } from '../../../../title.ts'

export const generateMetadata = titled('storefront.nav.portal')

export default async function Page({ params, searchParams }: { params: Promise<StorefrontPath>; searchParams: Query }) {
  const place = await params
  const page = await portalPage(place, await cookiesOf())
  return page ? (
    <PortalSetting outcome={await formResultOf(searchParams)} page={page} path={pathOf(place)} />
  ) : (
    notFound()
  )
}
