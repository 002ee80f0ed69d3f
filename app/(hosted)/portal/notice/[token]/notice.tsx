import { PortalLink } from '@/components/portal/portal-link.tsx'
import { loadPortalNotice } from '@/lib/workflows/portal-sign-in/load-notice.ts'
import { hostedPage } from '../../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage('portal/notice', {
  load: loadPortalNotice,
  title: (t, { storefrontName: shop }) => t('portal.title', { shop }),
  show: (page) => <PortalLink page={page} />,
})
