import { Checkout } from '@/components/checkout/checkout-page.tsx'
import { loadCheckout } from '@/lib/workflows/sale/load-checkout.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage('checkout', {
  load: loadCheckout,
  title: (t, { storefrontName: shop }) => t('checkout.title', { shop }),
  show: (page) => <Checkout page={page} />,
})
