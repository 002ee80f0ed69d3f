import { TestPayment } from '@/components/payment/test-payment.tsx'
import { testPaymentPage } from '@/lib/workflows/test-payment-page/hosted.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage({
  load: testPaymentPage,
  title: (t, { storefrontName: shop }) => t('payment.title', { shop }),
  show: (page) => <TestPayment page={page} />,
})
