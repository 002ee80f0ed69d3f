import { markdownPathOf, pathOfPage } from '@/components/docs/navigation.ts'
import type { SiteIndex } from '@/components/docs/site-types.ts'

/** Returns the list of the documentation pages in the format of https://llmstxt.org. */
export function llmsText({ groups }: SiteIndex, baseUrl: string): string {
  const lines = groups.flatMap(({ title, pages }) => [
    '',
    `## ${title}`,
    '',
    ...pages.map((page) => `- [${page.title}](${baseUrl}${markdownPathOf(page.slug)}): ${page.description}`),
  ])
  const head = [
    '# Billhook',
    '',
    '> A self-hosted merchant of record for software sold in Europe. These pages describe how to sell with its API, and how to operate it.',
    '',
    `The API as an OpenAPI document: ${baseUrl}/v1/openapi.json`,
  ]
  return `${[...head, ...lines].join('\n')}\n`
}

export function sitemap({ groups }: SiteIndex, nouns: readonly { readonly slug: string }[], baseUrl: string): string {
  const paths = [
    '/',
    ...groups.flatMap(({ pages }) => pages.map(({ slug }) => pathOfPage(slug))),
    '/docs/api',
    '/docs/events',
    ...nouns.map(({ slug }) => `/docs/${slug}`),
  ]
  const urls = paths.map((path) => `  <url><loc>${baseUrl}${path}</loc></url>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>\n',
  ].join('\n')
}

export const robotsText = (isIndexed: boolean, baseUrl: string): string =>
  isIndexed
    ? ['User-agent: *', 'Allow: /$', 'Allow: /docs', 'Disallow: /', '', `Sitemap: ${baseUrl}/sitemap.xml\n`].join('\n')
    : ['User-agent: *', 'Disallow: /\n'].join('\n')
