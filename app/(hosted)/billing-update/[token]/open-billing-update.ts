import { cache } from 'react'
import { billingUpdatePage } from '@/lib/workflows/billing-update/hosted.ts'
import { open } from '../../open.ts'

/** Runs once per request, shared by the layout, the title and the page. */
export const openBillingUpdate = cache((token: string) => open((buyer) => billingUpdatePage(token, buyer)))
