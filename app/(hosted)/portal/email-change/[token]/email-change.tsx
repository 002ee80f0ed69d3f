import { EmailChange } from '@/components/portal/email-change.tsx'
import { emailChangePage } from '@/lib/workflows/email-change/hosted.ts'
import { hostedPage } from '../../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage({
  load: emailChangePage,
  title: (t, { storefrontName: shop }) => t('portal.title', { shop }),
  show: (page) => <EmailChange page={page} />,
})
