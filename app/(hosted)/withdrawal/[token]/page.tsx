import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { DownPage, NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import { Withdrawal } from '@/components/withdrawal/withdrawal.tsx'
import type { TokenParams } from '../../open.ts'
import { openWithdrawal } from './open-withdrawal.ts'

interface Props extends TokenParams {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const opening = async ({ params, searchParams }: Props) => {
  const { form } = await searchParams
  return openWithdrawal((await params).token, typeof form === 'string' ? form : null)
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const opened = await opening(props)
  const t = await getTranslations({ locale: opened.locale })
  if (opened.found === 'page') return { title: t('withdrawal.title', { shop: opened.page.storefrontName }) }
  return { title: t(opened.found === 'down' ? 'errors.down.heading' : 'errors.notFound.heading') }
}

/** The status of each of these pages is set in `proxy.ts`: a page cannot respond with 410. */
export default async function Page(props: Props) {
  const opened = await opening(props)
  if (opened.found === 'page') return <Withdrawal page={opened.page} />
  return opened.found === 'down' ? <DownPage /> : <NotFoundPage />
}
