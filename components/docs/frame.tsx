import type { ReactNode } from 'react'
import { adminText as t } from '@/components/admin/text.ts'
import { apiReferenceTitle, pathOfPage } from './navigation.ts'
import type { Noun } from './reference.ts'
import type { SiteIndex } from './site-types.ts'

export interface Link {
  readonly href: string
  readonly label: string
}

interface FrameProps {
  site: SiteIndex
  nouns: readonly Noun[]
  /** The path of the current page, even if the sidebar does not list it. */
  current: string
  /** The headings of the page. `isSub` marks headings of the third level. */
  contents?: readonly (Link & { readonly isSub?: boolean })[]
  children: ReactNode
}

/** The groups of the sidebar. The API reference is between the contract and the changelog. */
function groupsOf(site: SiteIndex, nouns: readonly Noun[]): { title: string; links: readonly Link[] }[] {
  const groups = site.groups.map(({ title, pages }) => ({
    title,
    links: pages.map(({ slug, label }) => ({ href: pathOfPage(slug), label })),
  }))
  const reference = [
    { href: '/docs/api', label: t('docs.overview') },
    ...nouns.map(({ slug, name }) => ({ href: `/docs/${slug}`, label: name })),
    { href: '/docs/events', label: t('docs.events') },
    { href: '/v1/openapi.json', label: t('docs.document') },
  ]
  return [...groups.slice(0, -1), { title: apiReferenceTitle, links: reference }, ...groups.slice(-1)]
}

export function DocsFrame({ site, nouns, current, contents = [], children }: FrameProps) {
  const groups = groupsOf(site, nouns)
  const links = groups.flatMap((group) => group.links).filter(({ href }) => href.startsWith('/docs'))
  const position = links.findIndex(({ href }) => href === current)
  return (
    <>
      <a className="skip" href="#content">
        {t('docs.skip')}
      </a>
      <header className="docs-header">
        <a className="docs-name" href="/">
          {t('product')}
        </a>
        <a className="docs-home" href="/docs">
          {t('docs.home')}
        </a>
        <search>
          <form action="/docs/search">
            <input aria-label={t('docs.search')} name="q" placeholder={t('docs.search')} type="search" />
          </form>
        </search>
      </header>
      <div className="docs-columns">
        <details className="docs-menu">
          <summary>{t('docs.menu')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
          <nav aria-label={t('docs.nav')} tabIndex={0}>
            {groups.map(({ title, links }) => (
              <details key={title} open={links.some(({ href }) => href === current) || position < 0}>
                <summary>{title}</summary>
                <ul>
                  {links.map(({ href, label }) => (
                    <li key={href}>
                      <a aria-current={href === current ? 'page' : undefined} className="docs-link" href={href}>
                        {label}
                      </a>
                    </li>
                  ))}
                </ul>
              </details>
            ))}
          </nav>
        </details>
        <main id="content">
          {contents.length > 1 && (
            <details className="docs-contents">
              <summary>{t('docs.onThisPage')}</summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
              <nav aria-label={t('docs.onThisPage')} tabIndex={0}>
                <ul>
                  {contents.map(({ href, label, isSub }) => (
                    <li className={isSub ? 'sub' : undefined} key={href}>
                      <a className="docs-link" href={href}>
                        {label}
                      </a>
                    </li>
                  ))}
                </ul>
              </nav>
            </details>
          )}
          <div className="docs-body">{children}</div>
          <Neighbors next={links[position + 1]} previous={position > 0 ? links[position - 1] : undefined} />
        </main>
      </div>
    </>
  )
}

function Neighbors({ previous, next }: { previous: Link | undefined; next: Link | undefined }) {
  if (!previous && !next) return null
  return (
    <nav aria-label={t('docs.neighbors')} className="docs-neighbors">
      {previous && (
        <a className="docs-link" href={previous.href} rel="prev">
          <span>{t('docs.previous')}</span> {previous.label}
        </a>
      )}
      {next && (
        <a className="docs-link next" href={next.href} rel="next">
          <span>{t('docs.next')}</span> {next.label}
        </a>
      )}
    </nav>
  )
}
