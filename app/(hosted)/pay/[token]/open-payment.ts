import { cache } from 'react'
import { testPaymentPage } from '@/lib/workflows/test-payment-page/hosted.ts'
import { open } from '../../open.ts'

/** Once per request, for the layout, the title and the page together. */
export const openPayment = cache((token: string) => open(() => testPaymentPage(token)))
