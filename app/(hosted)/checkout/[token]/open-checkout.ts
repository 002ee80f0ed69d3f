import { cache } from 'react'
import { checkoutPage } from '@/lib/workflows/sale/hosted.ts'
import { open } from '../../open.ts'

/** Once per request, for the layout, the title and the page together. */
export const openCheckout = cache((token: string) => open((buyer) => checkoutPage(token, buyer)))
