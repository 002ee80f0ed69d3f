import { cache } from 'react'
import { invoiceDocument } from '@/lib/modules/invoices/hosted.ts'
import { open } from '../../open.ts'

/** Once per request, for the layout, the title and the page together. */
export const openInvoice = cache((token: string) => open(() => invoiceDocument(token)))
