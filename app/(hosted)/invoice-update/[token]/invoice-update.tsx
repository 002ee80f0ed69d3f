import { InvoiceUpdate } from '@/components/invoice-update/invoice-update-page.tsx'
import { loadInvoiceUpdate } from '@/lib/workflows/invoice-update/load-invoice-update.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage('invoice-update', {
  load: loadInvoiceUpdate,
  title: (t, { document, storefrontName: shop, number }) => t(`invoiceUpdate.${document}.title`, { shop, number }),
  show: (page) => <InvoiceUpdate page={page} />,
})
