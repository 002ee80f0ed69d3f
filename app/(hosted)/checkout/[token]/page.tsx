import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Checkout } from '@/components/checkout/checkout-page.tsx'
import { DownPage, NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import type { TokenParams } from '../../open.ts'
import { openCheckout } from './open-checkout.ts'

export async function generateMetadata({ params }: TokenParams): Promise<Metadata> {
  const opened = await openCheckout((await params).token)
  const t = await getTranslations({ locale: opened.locale })
  if (opened.found === 'page') return { title: t('checkout.title', { shop: opened.page.storefrontName }) }
  return { title: t(opened.found === 'down' ? 'errors.down.heading' : 'errors.notFound.heading') }
}

/** The status of each of these pages is set in `proxy.ts`: a page cannot respond with 410. */
export default async function Page({ params }: TokenParams) {
  const opened = await openCheckout((await params).token)
  if (opened.found === 'page') return <Checkout page={opened.page} />
  return opened.found === 'down' ? <DownPage /> : <NotFoundPage />
}
