import { BillingUpdate } from '@/components/billing-update/billing-update-page.tsx'
import { loadBillingUpdate } from '@/lib/workflows/billing-update/load-billing-update.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage('billing-update', {
  load: loadBillingUpdate,
  title: (t, { storefrontName: shop }) => t('billingUpdate.title', { shop }),
  show: (page) => <BillingUpdate page={page} />,
})
