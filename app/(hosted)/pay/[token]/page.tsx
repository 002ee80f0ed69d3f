import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { TestPayment } from '@/components/payment/test-payment.tsx'
import { DownPage, NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import type { TokenParams } from '../../open.ts'
import { openPayment } from './open-payment.ts'

export async function generateMetadata({ params }: TokenParams): Promise<Metadata> {
  const opened = await openPayment((await params).token)
  const t = await getTranslations({ locale: opened.locale })
  if (opened.found === 'page') return { title: t('payment.title', { shop: opened.page.storefrontName }) }
  return { title: t(opened.found === 'down' ? 'errors.down.heading' : 'errors.notFound.heading') }
}

export default async function Page({ params }: TokenParams) {
  const opened = await openPayment((await params).token)
  if (opened.found === 'page') return <TestPayment page={opened.page} />
  return opened.found === 'down' ? <DownPage /> : <NotFoundPage />
}
