import { EmailChange } from '@/components/portal/email-change.tsx'
import { loadEmailChange } from '@/lib/workflows/email-change/load-email-change.ts'
import { hostedPage } from '../../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage('portal/email-change', {
  load: loadEmailChange,
  title: (t, { storefrontName: shop }) => t('portal.title', { shop }),
  show: (page) => <EmailChange page={page} />,
})
