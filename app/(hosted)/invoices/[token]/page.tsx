import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { InvoiceDocumentView } from '@/components/invoice/invoice-document.tsx'
import { DownPage, NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import type { TokenParams } from '../../open.ts'
import { openInvoice } from './open-invoice.ts'

export async function generateMetadata({ params }: TokenParams): Promise<Metadata> {
  const opened = await openInvoice((await params).token)
  if (opened.found === 'page') return { title: opened.page.sheet.title }
  const t = await getTranslations({ locale: opened.locale })
  return { title: t(opened.found === 'down' ? 'errors.down.heading' : 'errors.notFound.heading') }
}

export default async function Page({ params }: TokenParams) {
  const opened = await openInvoice((await params).token)
  if (opened.found === 'page') return <InvoiceDocumentView others={opened.page.others} sheet={opened.page.sheet} />
  return opened.found === 'down' ? <DownPage /> : <NotFoundPage />
}
