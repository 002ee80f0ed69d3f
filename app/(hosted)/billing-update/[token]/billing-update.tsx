import { BillingUpdate } from '@/components/billing-update/billing-update-page.tsx'
import { billingUpdatePage } from '@/lib/workflows/billing-update/hosted.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage({
  load: billingUpdatePage,
  title: (t, { storefrontName: shop }) => t('billingUpdate.title', { shop }),
  show: (page) => <BillingUpdate page={page} />,
})
