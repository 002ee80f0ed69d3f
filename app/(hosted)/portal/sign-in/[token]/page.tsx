import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { PortalSignIn } from '@/components/portal/portal-sign-in.tsx'
import { DownPage, NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import type { TokenParams } from '../../../open.ts'
import { openPortalSignIn } from './open-sign-in.ts'

type Props = TokenParams & { searchParams: Promise<Record<string, string | string[] | undefined>> }

const opening = async ({ params, searchParams }: Props) => {
  const { form } = await searchParams
  return openPortalSignIn((await params).token, typeof form === 'string' ? form : null)
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const opened = await opening(props)
  const t = await getTranslations({ locale: opened.locale })
  if (opened.found === 'page') return { title: t('portal.signIn.title', { shop: opened.page.storefrontName }) }
  return { title: t(opened.found === 'down' ? 'errors.down.heading' : 'errors.notFound.heading') }
}

export default async function Page(props: Props) {
  const opened = await opening(props)
  const query = await props.searchParams
  const state = (['sent', 'invalid', 'signed-out'] as const).find((each) => each in query) ?? 'form'
  if (opened.found === 'page') return <PortalSignIn page={opened.page} state={state} />
  return opened.found === 'down' ? <DownPage /> : <NotFoundPage />
}
