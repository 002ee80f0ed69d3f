import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { cache } from 'react'
import type { Words } from '@/components/checkout/details-text.ts'
import type { Loaded } from '@/lib/kernel/hosted-pages.ts'
import type {
  PortalDetailsPage,
  PortalDocumentsPage,
  PortalEmailPage,
  PortalOverview,
} from '@/lib/modules/portal/page.ts'
import { loadEmail } from '@/lib/workflows/email-change/load-email-change.ts'
import { loadChange } from '@/lib/workflows/portal/load-change.ts'
import { loadDetails } from '@/lib/workflows/portal/load-details.ts'
import * as portal from '@/lib/workflows/portal/load-portal.ts'
import type { PageRequest } from '../../load-page.ts'
import { open, type Shown } from '../../open.ts'

type InSession<Page> = (asked: PageRequest) => Promise<Loaded<Page>>

const overview: InSession<PortalOverview> = ({ visitor }) => portal.loadOverview(visitor)
const documents: InSession<PortalDocumentsPage> = ({ visitor, query }) => portal.loadDocuments(visitor, query)
const details: InSession<PortalDetailsPage> = ({ visitor, query }) => loadDetails(visitor, query)
const email: InSession<PortalEmailPage> = ({ visitor, query }) => loadEmail(visitor, query)

/** The loader for a path of the portal, or null if there is no such page. */
export function portalLoader(path: string): InSession<Shown> | null {
  const [, , section, id, act, ...rest] = path.split('/')
  if (section === undefined) return overview
  if (section === 'invoices' && id === undefined) return documents
  if (section === 'email' && id === undefined) return email
  if (section === 'details' && id === undefined) return details
  if (section !== 'subscriptions' || !id || rest.length > 0) return null
  if (act === undefined) return ({ visitor }) => portal.loadSubscription(id, visitor)
  if (act === 'change') return ({ visitor, query }) => loadChange(id, visitor, query)
  return act === 'cancel' ? ({ visitor }) => portal.loadCancellation(id, visitor) : null
}

/** The functions below run once per request. The proxy, the layout, the title, and the page share the result. */
export const openShell = cache(() => open('/portal frame', ({ visitor }) => portal.loadShell(visitor)))
export const openOverview = cache(() => open('/portal', overview))
export const openDocuments = cache(() => open('/portal/invoices', documents))
export const openDetails = cache(() => open('/portal/details', details))
export const openEmail = cache(() => open('/portal/email', email))
export const openSubscription = cache((id: string) =>
  open(`/portal/subscriptions/${id}`, ({ visitor }) => portal.loadSubscription(id, visitor)),
)
export const openChange = cache((id: string) =>
  open(`/portal/subscriptions/${id}/change`, ({ visitor, query }) => loadChange(id, visitor, query)),
)
export const openCancel = cache((id: string) =>
  open(`/portal/subscriptions/${id}/cancel`, ({ visitor }) => portal.loadCancellation(id, visitor)),
)

export async function titleOf<Page extends Shown & { storefrontName: string }>(
  opened: Awaited<ReturnType<typeof open<Page>>>,
  heading: (t: Words, page: Page) => string,
): Promise<Metadata> {
  if (opened.found !== 'page') return {}
  const { page, locale } = opened
  return { title: `${heading(await getTranslations({ locale }), page)} · ${page.storefrontName}` }
}
