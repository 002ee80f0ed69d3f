import { cache } from 'react'
import { checkoutPage } from '@/lib/workflows/sale/hosted.ts'
import { open } from '../../open.ts'

/** Runs once per request, shared by the layout, the title and the page. */
export const openCheckout = cache((token: string) => open((buyer) => checkoutPage(token, buyer)))
