import { cache } from 'react'
import { billingUpdatePage } from '@/lib/workflows/billing-update/hosted.ts'
import { open } from '../../open.ts'

/** Once per request, for the layout, the title and the page together. */
export const openBillingUpdate = cache((token: string) => open((buyer) => billingUpdatePage(token, buyer)))
