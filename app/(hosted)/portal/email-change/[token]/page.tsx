import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { EmailChange } from '@/components/portal/email-change.tsx'
import { DownPage, NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import type { TokenParams } from '../../../open.ts'
import { openEmailChange } from './open-email-change.ts'

export async function generateMetadata({ params }: TokenParams): Promise<Metadata> {
  const opened = await openEmailChange((await params).token)
  const t = await getTranslations({ locale: opened.locale })
  if (opened.found === 'page') return { title: t('portal.title', { shop: opened.page.storefrontName }) }
  return { title: t(opened.found === 'down' ? 'errors.down.heading' : 'errors.notFound.heading') }
}

/** The status of each of these pages is set in `proxy.ts`: a page cannot respond with 410. */
export default async function Page({ params }: TokenParams) {
  const opened = await openEmailChange((await params).token)
  if (opened.found === 'page') return <EmailChange page={opened.page} />
  return opened.found === 'down' ? <DownPage /> : <NotFoundPage />
}
