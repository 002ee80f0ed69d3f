import { cache } from 'react'
import { portalLinkPage } from '@/lib/workflows/portal-sign-in/hosted.ts'
import { open } from '../../../open.ts'

/** Runs once per request, shared by the layout, the title and the page. */
export const openPortalLink = cache((token: string) => open((buyer) => portalLinkPage(token, buyer)))
