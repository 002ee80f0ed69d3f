import { cache } from 'react'
import { type InvoiceUpdateView, invoiceUpdatePage } from '@/lib/workflows/invoice-update/hosted.ts'
import { open } from '../../open.ts'

/** Runs once per request and view, shared by the layout, the title and the page. */
export const openInvoiceUpdate = cache((token: string, view: InvoiceUpdateView) =>
  open(() => invoiceUpdatePage(token, view)),
)
