import { cache } from 'react'
import { testPaymentPage } from '@/lib/workflows/test-payment-page/hosted.ts'
import { open } from '../../open.ts'

/** Runs once per request, shared by the layout, the title and the page. */
export const openPayment = cache((token: string) => open(() => testPaymentPage(token)))
