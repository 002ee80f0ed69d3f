import { PaymentLink } from '@/components/checkout/payment-link.tsx'
import { loadPaymentLink } from '@/lib/workflows/sale/load-payment-link.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage('buy', {
  load: loadPaymentLink,
  title: (t, { storefrontName: shop }) => t('checkout.title', { shop }),
  show: (page) => <PaymentLink page={page} />,
})
