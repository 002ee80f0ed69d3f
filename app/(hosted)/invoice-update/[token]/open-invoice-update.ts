import { cache } from 'react'
import { type InvoiceUpdateView, invoiceUpdatePage } from '@/lib/workflows/invoice-update/hosted.ts'
import { open } from '../../open.ts'

/** Once per request and view, for the layout, the title and the page together. */
export const openInvoiceUpdate = cache((token: string, view: InvoiceUpdateView) =>
  open(() => invoiceUpdatePage(token, view)),
)
