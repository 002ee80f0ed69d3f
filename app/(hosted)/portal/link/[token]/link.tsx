import { PortalLink } from '@/components/portal/portal-link.tsx'
import { loadPortalLink } from '@/lib/workflows/portal-sign-in/load-sign-in.ts'
import { hostedPage } from '../../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage('portal/link', {
  load: loadPortalLink,
  title: (t, { storefrontName: shop }) => t('portal.title', { shop }),
  show: (page, query) => <PortalLink cancels={'cancel' in query} page={page} />,
})
