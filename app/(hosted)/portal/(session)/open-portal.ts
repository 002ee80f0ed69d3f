import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { cache } from 'react'
import type { Words } from '@/components/checkout/details-text.ts'
import { emailPage } from '@/lib/workflows/email-change/hosted.ts'
import * as portal from '@/lib/workflows/portal/hosted.ts'
import { open, type Shown } from '../../open.ts'

/** Each runs once per request, shared by the layout, the title and the page. */
export const openShell = cache(() => open(portal.portalShell))
export const openOverview = cache(() => open(portal.overview))
export const openDocuments = cache((before: string | null) => open((buyer) => portal.documentsPage(before, buyer)))
export const openEmail = cache((form: string | null) => open((buyer) => emailPage(form, buyer)))
export const openSubscription = cache((id: string) => open((buyer) => portal.subscriptionPage(id, buyer)))
export const openCancel = cache((id: string) => open((buyer) => portal.cancelPage(id, buyer)))

/** The title of a page of the session: what it is about, and the shop. The layout has one for where there is no such page. */
export async function titleOf<Page extends Shown & { storefrontName: string }>(
  opened: Awaited<ReturnType<typeof open<Page>>>,
  heading: (t: Words, page: Page) => string,
): Promise<Metadata> {
  if (opened.found !== 'page') return {}
  const { page, locale } = opened
  return { title: `${heading(await getTranslations({ locale }), page)} · ${page.storefrontName}` }
}
