import { InvoiceDocumentView } from '@/components/invoice/invoice-document.tsx'
import { invoiceView } from '@/lib/modules/invoices/hosted.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage({
  load: invoiceView,
  title: (_, { sheet }) => sheet.title,
  show: ({ others, sheet }) => <InvoiceDocumentView others={others} sheet={sheet} />,
})
