import { PortalSignIn } from '@/components/portal/portal-sign-in.tsx'
import { portalSignInPage } from '@/lib/workflows/portal-sign-in/hosted.ts'
import { hostedPage } from '../../../hosted-page.tsx'

const states = ['sent', 'invalid', 'signed-out'] as const

export const { Layout, Page, generateMetadata } = hostedPage({
  view: 'form',
  load: (token, buyer, form) => portalSignInPage(token, form, buyer),
  title: (t, { storefrontName: shop }) => t('portal.signIn.title', { shop }),
  show: (page, query) => (
    <PortalSignIn cancels={'cancel' in query} page={page} state={states.find((each) => each in query) ?? 'form'} />
  ),
})
