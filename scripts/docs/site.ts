import { readFileSync } from 'node:fs'
import path from 'node:path'
import MiniSearch from 'minisearch'
import { type DocsPage, markdownPathOf, navigation, pagesOf, pathOfPage } from '../../components/docs/navigation.ts'
import { type Document, referenceOf } from '../../components/docs/reference.ts'
import { searchOptions } from '../../components/docs/search-options.ts'
import type { SiteIndex, SitePage } from '../../components/docs/site-types.ts'
import { createCodeHighlighter } from './highlight.ts'
import { type RenderedPage, renderMarkdown } from './markdown.ts'

interface BuiltPage {
  readonly page: DocsPage
  readonly rendered: RenderedPage
  readonly markdown: string
}

export interface Site {
  readonly index: SiteIndex
  readonly pages: readonly BuiltPage[]
  readonly contents: ReadonlyMap<string, SitePage>
  readonly search: string
}

const bySlugOfFile = new Map(pagesOf(navigation).map((page) => [page.file, page]))

/**
 * The URL of the repository, without a trailing slash: DOCS_REPOSITORY, or otherwise `repository` of package.json. Null
 * if this value is no http(s) URL. Pages then have no link "Edit this page".
 */
export function repositoryUrl(packageJson: string, asked = process.env.DOCS_REPOSITORY): string | null {
  const { repository } = JSON.parse(packageJson)
  const named: string | undefined = typeof repository === 'string' ? repository : repository?.url
  const url = (asked || named)?.replace(/^git\+/, '').replace(/(?:\.git)?\/*$/, '')
  return url && /^https?:\/\/[^\s"<>]+$/.test(url) ? url : null
}

/** A link to a file that is not a page of the documentation leads to the repository. */
export function siteLink(file: string, target: string, repository: string | null): string | null {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target
  const [name = '', anchor] = target.split('#')
  const linked = path.posix.join(path.posix.dirname(file), name).replace(/\/$/, '')
  const fragment = anchor === undefined ? '' : `#${anchor}`
  if (linked === 'docs/openapi.json') return '/v1/openapi.json'
  if (linked === 'README.md' || linked === 'docs/README.md') return '/docs'
  const page = bySlugOfFile.get(linked) ?? bySlugOfFile.get(`${linked}/README.md`)
  if (page) return pathOfPage(page.slug) + fragment
  return repository && `${repository}/blob/main/${linked}${fragment}`
}

/** The text of `/docs/<page>.md`, with links of the site and without test instructions. */
export const servedMarkdown = (file: string, text: string, repository: string | null): string =>
  text
    .replaceAll(/^<!-- test: .* -->\n+/gm, '')
    .replaceAll(/^(```\w+) .*$/gm, '$1')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, target: string) => {
      const link = siteLink(file, target, repository)
      return link === null ? label : `[${label}](${link.replace(/^(\/docs[^#]*)/, (found) => markdownLink(found))})`
    })

const markdownLink = (address: string): string => markdownPathOf(address.replace(/^\/docs\/?/, ''))

export async function renderSite(
  root: string,
  repository = repositoryUrl(readFileSync(path.join(root, 'package.json'), 'utf8')),
): Promise<Site> {
  const highlighter = await createCodeHighlighter()
  const pages: BuiltPage[] = []
  for (const page of pagesOf(navigation)) {
    const text = readFileSync(path.join(root, page.file), 'utf8')
    const linkOf = (target: string) => siteLink(page.file, target, repository)
    const rendered = await renderMarkdown(text, { highlighter, linkOf })
    pages.push({ page, rendered, markdown: servedMarkdown(page.file, text, repository) })
  }
  highlighter.dispose()
  const index: SiteIndex = {
    repository,
    groups: navigation.map(({ title, pages: some }) => ({
      title,
      pages: some.map(({ slug, label }) => {
        const { title = '', description = '' } = pages.find(({ page }) => page.slug === slug)?.rendered ?? {}
        return { slug, label: label ?? title, title, description }
      }),
    })),
  }
  const contents = new Map(
    pages.map(({ page: { slug, file }, rendered: { title, description, html, headings } }) => [
      slug,
      { slug, file, title, description, html, headings },
    ]),
  )
  return { index, pages, contents, search: JSON.stringify(searchOf(pages, root)) }
}

function searchOf(pages: readonly BuiltPage[], root: string): MiniSearch {
  const search = new MiniSearch(searchOptions)
  search.addAll(
    pages.flatMap(({ page: { slug }, rendered: { title, sections } }) =>
      sections.map(({ id, heading, text }) => ({
        id: `${pathOfPage(slug)}${id && `#${id}`}`,
        page: title,
        heading: heading || title,
        text,
        excerpt: text.slice(0, 160),
      })),
    ),
  )
  const { nouns, events } = referenceOf(
    JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as Document,
  )
  search.addAll(
    nouns.flatMap((noun) =>
      noun.operations.map(({ id, method, path, summary, text }) => ({
        id: `/docs/${noun.slug}#${id}`,
        page: `API reference: ${noun.name}`,
        heading: summary.replace(/\.$/, ''),
        text: `${method} ${path} ${id} ${text}`,
        excerpt: `${method} ${path}`,
      })),
    ),
  )
  search.addAll(
    events.map(({ name, text }) => ({
      id: `/docs/events#${name}`,
      page: 'Events',
      heading: name,
      text,
      excerpt: text,
    })),
  )
  return search
}
