import { Withdrawal } from '@/components/withdrawal/withdrawal.tsx'
import { withdrawalPage } from '@/lib/workflows/withdrawal/hosted.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage({
  view: 'form',
  load: (token, buyer, form) => withdrawalPage(token, form, buyer),
  title: (t, { storefrontName: shop }) => t('withdrawal.title', { shop }),
  show: (page) => <Withdrawal page={page} />,
})
