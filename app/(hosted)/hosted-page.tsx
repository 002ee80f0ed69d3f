import '@/app/globals.css'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { cache, type ReactNode } from 'react'
import type { Words } from '@/components/checkout/details-text.ts'
import { HostedDocument } from '@/components/ui/document.tsx'
import { DownPage, NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import { type Buyer, first, open, type Query, type Shown, type TokenParams } from './open.ts'

interface HostedPage<Page> {
  /** The parameter of the query that decides what is loaded; none if the page has one state. */
  readonly view?: string
  /** What the page shows; null if its link leads to nothing. `view` is the parameter as it was given first, or null. */
  readonly load: (token: string, buyer: Buyer, view: string | null) => Promise<Page | null>
  readonly title: (t: Words, page: Page) => string
  readonly show: (page: Page, query: Awaited<Query>) => ReactNode
}

type Props = TokenParams & { searchParams: Query }

/**
 * The document, title and page behind one link. A link that leads to nothing, and a service that does not respond, have pages of
 * their own; the status of each is set in `proxy.ts`, since a page cannot respond with 410.
 */
export function hostedPage<Page extends Shown>({ view, load, title, show }: HostedPage<Page>) {
  // Runs once per request and view.
  const opened = cache((token: string, view: string | null) => open((buyer) => load(token, buyer, view)))
  const opening = async ({ params, searchParams }: Props) =>
    opened((await params).token, view === undefined ? null : first((await searchParams)[view]))
  return {
    async Layout({ children, params }: TokenParams & { children: ReactNode }) {
      const { document } = await opened((await params).token, null)
      return <HostedDocument {...document}>{children}</HostedDocument>
    },

    async generateMetadata(props: Props): Promise<Metadata> {
      const { locale, ...found } = await opening(props)
      const t = await getTranslations({ locale })
      if (found.found === 'page') return { title: title(t, found.page) }
      return { title: t(found.found === 'down' ? 'errors.down.heading' : 'errors.notFound.heading') }
    },

    async Page(props: Props) {
      const found = await opening(props)
      if (found.found === 'page') return show(found.page, await props.searchParams)
      return found.found === 'down' ? <DownPage /> : <NotFoundPage />
    },
  }
}
