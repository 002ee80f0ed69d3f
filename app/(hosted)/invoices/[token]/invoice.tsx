import { InvoiceDocumentView } from '@/components/invoice/invoice-document.tsx'
import { invoiceView } from '@/lib/modules/invoices/hosted.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage({
  load: invoiceView,
  title: (_, { document }) => document.title,
  show: ({ others, document }) => <InvoiceDocumentView others={others} document={document} />,
})
