import '@/app/globals.css'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { cache, type ReactNode } from 'react'
import type { Words } from '@/components/checkout/details-text.ts'
import { HostedDocument } from '@/components/ui/document.tsx'
import { DownPage, NotFoundPage } from '@/components/ui/unreachable-pages.tsx'
import { type HostedPage, hostedPath, type Loaded } from '@/lib/kernel/hosted-pages.ts'
import type { Visitor } from '@/lib/platform/http/visitor.ts'
import { open, type Query, type Shown, type TokenParams } from './open.ts'

export type LoadByLink<Page> = (token: string, visitor: Visitor, query: URLSearchParams) => Promise<Loaded<Page>>

interface Parts<Page> {
  readonly load: LoadByLink<Page>
  readonly title: (t: Words, page: Page) => string
  readonly show: (page: Page, query: Awaited<Query>) => ReactNode
}

/**
 * Returns the layout, metadata, and page of a hosted link. An unknown link and an unavailable service have their own pages. `proxy.ts` sets the HTTP status,
 * because a Next.js page cannot respond with 410.
 */
export function hostedPage<Page extends Shown>(name: HostedPage, { load, title, show }: Parts<Page>) {
  // React's cache prevents a second load of the record under `npm run dev`. There, Next.js and not our own server
  // handles the requests, so `oncePerRequest` has no effect.
  const opened = cache((token: string) =>
    open(hostedPath(name, token), ({ visitor, query }) => load(token, visitor, query)),
  )
  const opening = async ({ params }: TokenParams) => opened((await params).token)
  return {
    async Layout({ children, ...props }: TokenParams & { children: ReactNode }) {
      const { document } = await opening(props)
      return <HostedDocument {...document}>{children}</HostedDocument>
    },

    async generateMetadata(props: TokenParams): Promise<Metadata> {
      const { locale, ...found } = await opening(props)
      const t = await getTranslations({ locale })
      if (found.found === 'page') return { title: title(t, found.page) }
      return { title: t(found.found === 'down' ? 'errors.down.heading' : 'errors.notFound.heading') }
    },

    async Page({ searchParams, ...props }: TokenParams & { searchParams: Query }) {
      const found = await opening(props)
      if (found.found === 'page') return show(found.page, await searchParams)
      return found.found === 'down' ? <DownPage /> : <NotFoundPage />
    },
  }
}
