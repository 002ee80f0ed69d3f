import { cache } from 'react'
import { invoiceSheet } from '@/lib/invoices/hosted.ts'
import { open } from '../../open.ts'

/** Once per request, for the layout, the title and the page together. */
export const openInvoice = cache((token: string) => open(() => invoiceSheet(token)))
