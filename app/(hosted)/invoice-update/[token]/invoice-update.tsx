import { InvoiceUpdate } from '@/components/invoice-update/invoice-update-page.tsx'
import { invoiceUpdatePage } from '@/lib/workflows/invoice-update/hosted.ts'
import { hostedPage } from '../../hosted-page.tsx'

export const { Layout, Page, generateMetadata } = hostedPage({
  view: 'saved',
  load: (token, _, saved) => invoiceUpdatePage(token, saved === null ? 'form' : 'saved'),
  title: (t, { document, storefrontName: shop, number }) => t(`invoiceUpdate.${document}.title`, { shop, number }),
  show: (page) => <InvoiceUpdate page={page} />,
})
