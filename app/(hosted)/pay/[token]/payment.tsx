import { TestPayment } from '@/components/payment/test-payment.tsx'
import { loadTestPayment } from '@/lib/workflows/test-payment-page/load-test-payment.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage('pay', {
  load: loadTestPayment,
  title: (t, { storefrontName: shop }) => t('payment.title', { shop }),
  show: (page) => <TestPayment page={page} />,
})
