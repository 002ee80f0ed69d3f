import { PortalLink } from '@/components/portal/portal-link.tsx'
import { portalLinkPage } from '@/lib/workflows/portal-sign-in/hosted.ts'
import { hostedPage } from '../../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage({
  load: portalLinkPage,
  title: (t, { storefrontName: shop }) => t('portal.title', { shop }),
  show: (page, query) => <PortalLink cancels={'cancel' in query} page={page} />,
})
