import '@/app/globals.css'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { PortalShell } from '@/components/portal/portal-shell.tsx'
import { SignedOut } from '@/components/portal/signed-out.tsx'
import { HostedDocument } from '@/components/ui/document.tsx'
import { DownPage, NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import { openShell } from './open-portal.ts'

export async function generateMetadata(): Promise<Metadata> {
  const opened = await openShell()
  const t = await getTranslations({ locale: opened.locale })
  if (opened.found === 'page') return { title: t('portal.title', { shop: opened.page.storefrontName }) }
  return { title: t(opened.found === 'down' ? 'errors.down.heading' : 'errors.notFound.heading') }
}

/** A layout cannot set the HTTP status, so `proxy.ts` sets the status. */
export default async function Layout({ children }: { children: ReactNode }) {
  const opened = await openShell()
  return <HostedDocument {...opened.document}>{pageOf(opened, children)}</HostedDocument>
}

function pageOf(opened: Awaited<ReturnType<typeof openShell>>, children: ReactNode) {
  if (opened.found !== 'page') return opened.found === 'down' ? <DownPage /> : <NotFoundPage />
  const { page } = opened
  return 'signInUrl' in page ? <SignedOut page={page} /> : <PortalShell frame={page}>{children}</PortalShell>
}
