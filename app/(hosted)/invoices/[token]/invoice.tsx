import { InvoiceDocumentView } from '@/components/invoice/invoice-document.tsx'
import { loadInvoice } from '@/lib/modules/invoices/load-invoice.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage('invoices', {
  load: loadInvoice,
  title: (_, { document }) => document.title,
  show: ({ others, document }) => <InvoiceDocumentView others={others} document={document} />,
})
