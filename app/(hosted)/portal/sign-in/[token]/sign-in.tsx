import { PortalSignIn } from '@/components/portal/portal-sign-in.tsx'
import { loadPortalSignIn } from '@/lib/workflows/portal-sign-in/load-sign-in.ts'
import { hostedPage } from '../../../hosted-page.tsx'

const states = ['sent', 'invalid', 'signed-out'] as const

export const { Layout, Page, generateMetadata } = hostedPage('portal/sign-in', {
  load: loadPortalSignIn,
  title: (t, { storefrontName: shop }) => t('portal.signIn.title', { shop }),
  show: (page, query) => (
    <PortalSignIn cancels={'cancel' in query} page={page} state={states.find((each) => each in query) ?? 'form'} />
  ),
})
