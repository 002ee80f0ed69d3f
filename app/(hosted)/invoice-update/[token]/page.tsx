import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { InvoiceUpdate } from '@/components/invoice-update/invoice-update-page.tsx'
import { DownPage, NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import type { TokenParams } from '../../open.ts'
import { openInvoiceUpdate } from './open-invoice-update.ts'

interface Props extends TokenParams {
  searchParams: Promise<Record<string, unknown>>
}

const opening = async ({ params, searchParams }: Props) =>
  openInvoiceUpdate((await params).token, 'saved' in (await searchParams) ? 'saved' : 'form')

export async function generateMetadata(props: Props): Promise<Metadata> {
  const opened = await opening(props)
  const t = await getTranslations({ locale: opened.locale })
  if (opened.found === 'page') {
    const { document, storefrontName, number } = opened.page
    return { title: t(`invoiceUpdate.${document}.title`, { shop: storefrontName, number }) }
  }
  return { title: t(opened.found === 'down' ? 'errors.down.heading' : 'errors.notFound.heading') }
}

/** The status of each of these pages is set in `proxy.ts`: a page cannot respond with 410. */
export default async function Page(props: Props) {
  const opened = await opening(props)
  if (opened.found === 'page') return <InvoiceUpdate page={opened.page} />
  return opened.found === 'down' ? <DownPage /> : <NotFoundPage />
}
