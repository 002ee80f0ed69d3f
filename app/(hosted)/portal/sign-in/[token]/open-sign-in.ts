import { cache } from 'react'
import { portalSignInPage } from '@/lib/workflows/portal-sign-in/hosted.ts'
import { open } from '../../../open.ts'

/** Runs once per request and form, shared by the layout, the title and the page. */
export const openPortalSignIn = cache((token: string, form: string | null) =>
  open((buyer) => portalSignInPage(token, form, buyer)),
)
