import { Withdrawal } from '@/components/withdrawal/withdrawal.tsx'
import { loadWithdrawal } from '@/lib/workflows/withdrawal/load-withdrawal.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage('withdrawal', {
  load: loadWithdrawal,
  title: (t, { storefrontName: shop }) => t('withdrawal.title', { shop }),
  show: (page) => <Withdrawal page={page} />,
})
