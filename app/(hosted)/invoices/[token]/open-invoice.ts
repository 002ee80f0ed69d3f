import { cache } from 'react'
import { invoiceView } from '@/lib/modules/invoices/hosted.ts'
import { open } from '../../open.ts'

/** Runs once per request, shared by the layout, the title and the page. */
export const openInvoice = cache((token: string) => open(() => invoiceView(token)))
