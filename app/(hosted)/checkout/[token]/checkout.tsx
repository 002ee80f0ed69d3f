import { Checkout } from '@/components/checkout/checkout-page.tsx'
import { checkoutPage } from '@/lib/workflows/sale/hosted.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage({
  load: checkoutPage,
  title: (t, { storefrontName: shop }) => t('checkout.title', { shop }),
  show: (page) => <Checkout page={page} />,
})
