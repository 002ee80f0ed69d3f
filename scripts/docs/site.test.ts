import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import MiniSearch from 'minisearch'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiDocument } from '../../app/v1/document.ts'
import { navigation, pagesOf, pathOfPage, unpublished } from '../../components/docs/navigation.ts'
import { type Document, referenceOf } from '../../components/docs/reference.ts'
import { searchOptions } from '../../components/docs/search-options.ts'
import { createCodeHighlighter } from './highlight.ts'
import { renderMarkdown } from './markdown.ts'
import { renderSite, repositoryUrl, type Site, servedMarkdown, siteLink } from './site.ts'

const root = path.resolve(import.meta.dirname, '../..')
const pages = pagesOf(navigation)
const contact = { name: 'Seller', email: null }
const { nouns, events } = referenceOf(apiDocument({ baseUrl: '', contact }) as unknown as Document)

let site: Site
beforeAll(async () => {
  site = await renderSite(root)
})

describe('the table of documentation pages', () => {
  it('every Markdown file in docs is exactly one page or is listed as unpublished', () => {
    const files = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .map((file) => `docs/${file.replaceAll(path.sep, '/')}`)
      .filter((file) => file.endsWith('.md') && !file.includes('/node_modules/'))
    const published = files.filter((file) => !unpublished.some((pattern) => pattern.test(file)))
    expect([...published, 'CHANGELOG.md', 'SECURITY.md'].sort()).toEqual(pages.map(({ file }) => file).sort())
  })

  it('every documentation page has a unique path, different from the paths of the API reference', () => {
    const paths = [
      ...pages.map(({ slug }) => slug),
      ...nouns.map(({ slug }) => slug),
      'api',
      'events',
      'search',
      'markdown',
    ]
    expect(paths.filter((slug, index) => paths.indexOf(slug) !== index)).toEqual([])
  })
})

it('docs/start/comparison.md contains the comparison table of README.md', () => {
  const [table] =
    /^\| \| Billhook[\s\S]*?^We checked .*$/m.exec(readFileSync(path.join(root, 'README.md'), 'utf8')) ?? []
  expect(table).toContain('| Seller in law |')
  expect(readFileSync(path.join(root, 'docs/start/comparison.md'), 'utf8')).toContain(table)
})

describe('the rendered pages', () => {
  it('every documentation page has a title and a description', () => {
    const lacking = site.pages.filter(({ rendered }) => rendered.title === '' || rendered.description === '')
    expect(lacking.map(({ page }) => page.file)).toEqual([])
  })

  it('every documentation link leads to an existing page, heading, or operation', () => {
    const anchors = new Map([
      ...site.pages.map(({ page, rendered }) => [pathOfPage(page.slug), rendered.anchors] as const),
      ...nouns.map(({ slug, operations }) => [`/docs/${slug}`, operations.map(({ id }) => id)] as const),
      ['/docs/events', events.map(({ name }) => name)] as const,
      ['/docs/api', ['start', 'operations', 'lists', 'errors', 'shapes']] as const,
    ])
    const isBroken = (from: string, link: string) => {
      const [target = '', anchor] = link.split('#')
      const known = anchors.get(target === '' ? from : target)
      return !known || (anchor !== undefined && !known.includes(anchor))
    }
    const broken = site.pages.flatMap(({ page, rendered }) =>
      rendered.links
        .filter((link) => /^#|^\/docs/.test(link) && isBroken(pathOfPage(page.slug), link))
        .map((link) => `${page.file}: ${link}`),
    )
    expect(broken).toEqual([])
    expect(isBroken('/docs/tour', '#nothing')).toBe(true)
    expect(isBroken('/docs/tour', '/docs/nothing')).toBe(true)
    const others = site.pages
      .flatMap(({ rendered }) => rendered.links)
      .filter((link) => !/^#|^\/docs|^https:/.test(link))
    expect([...new Set(others)].sort()).toEqual(['/v1/openapi.json'])
  })

  it('documentation pages contain no styles, scripts, or external content, which the Content-Security-Policy forbids', () => {
    const all = site.pages.map(({ rendered }) => rendered.html).join('')
    expect(all).not.toMatch(/ style=|<script|<style|src="http/)
  })

  it('the documentation search finds sections and operations', () => {
    const search = MiniSearch.loadJSON(site.search, searchOptions)
    expect(search.search('Service-Signature').map(({ id }) => id)).toContain('/docs/contract/webhooks#deliveries')
    expect(search.search('resume canceled subscription').map(({ id }) => id)).toContain(
      '/docs/subscriptions#resumeSubscription',
    )
  })
})

describe('Markdown', () => {
  let highlighter: Awaited<ReturnType<typeof createCodeHighlighter>>
  beforeAll(async () => {
    highlighter = await createCodeHighlighter()
  })
  const render = (text: string) =>
    renderMarkdown(text, { highlighter, linkOf: (target) => siteLink('docs/tour.md', target, null) })

  it('code blocks are colored by classes and have a copy button', async () => {
    const { html } = await render('# A\n\n```ts\nconst a = "x"\n```\n')
    expect(html).toContain('<span class="code-token-keyword">const</span>')
    expect(html).toContain('<button type="button" class="copy" hidden>Copy</button>')
  })

  it('consecutive code blocks with titles become tabs, and the first tab is selected', async () => {
    const { html } = await render('# A\n\n```ts title="Hono"\na\n```\n\n```sh title="curl"\nb\n```\n\n```sh\nc\n```\n')
    expect(html.match(/<input type="radio"/g)).toHaveLength(2)
    expect(html.match(/ checked/g)).toHaveLength(1)
    expect(html).toContain('<label for="tabs-1-2">curl</label>')
    expect(html.match(/class="tab"/g)).toHaveLength(2)
  })

  it('headings have permalinks, and the renderer returns the id, the text, and the depth of each heading', async () => {
    const { html, headings } = await render('# A\n\n## Two words\n\n### Sub\n')
    expect(html).toContain('<a href="#two-words" class="permalink" aria-label="Link to Two words">#</a>')
    expect(headings).toEqual([
      { id: 'two-words', text: 'Two words', depth: 2 },
      { id: 'sub', text: 'Sub', depth: 3 },
    ])
  })

  it.each([
    ['contract/tax.md#tax-ids', '/docs/contract/tax#tax-ids'],
    ['contract/README.md', '/docs/contract'],
    ['../CHANGELOG.md', '/docs/changelog'],
    ['../README.md', '/docs'],
    ['openapi.json', '/v1/openapi.json'],
    ['#change', '#change'],
    ['https://example.com/', 'https://example.com/'],
    ['decisions/0001-architecture.md', null],
  ])('the link %s in docs/tour.md becomes %s on the site', (target, link) => {
    expect(siteLink('docs/tour.md', target, null)).toBe(link)
  })

  it('a link to a file without a page leads to the repository, if the repository is known', () => {
    const link = siteLink('docs/tour.md', 'decisions/0001-architecture.md', 'https://git.example/billhook')
    expect(link).toBe('https://git.example/billhook/blob/main/docs/decisions/0001-architecture.md')
  })
})

it('the served Markdown has site links, no test instructions, and no link to a file without a page', () => {
  const text =
    '# A\n\n<!-- test: pay CHECKOUT -->\n```sh skip="slow"\necho\n```\n\nSee [webhooks](webhooks.md#order) and [why](../decisions/0001-a.md).\n'
  expect(servedMarkdown('docs/merchants/access.md', text, null)).toBe(
    '# A\n\n```sh\necho\n```\n\nSee [webhooks](/docs/merchants/webhooks.md#order) and why.\n',
  )
})

describe('the repository link', () => {
  const named = JSON.stringify({ repository: { type: 'git', url: 'git+https://git.example/shop/billhook.git' } })

  it.each([
    ['package.json names the repository', named, '', 'https://git.example/shop/billhook'],
    [
      'package.json names the repository in short form',
      '{"repository":"https://git.example/a/b/"}',
      '',
      'https://git.example/a/b',
    ],
    ['DOCS_REPOSITORY replaces package.json', named, 'https://git.example/fork', 'https://git.example/fork'],
    ['no source names the repository', '{}', '', null],
    ['the named address is not a web address', '{"repository":"github:a/b"}', '', null],
    ['DOCS_REPOSITORY is a script', '{}', 'javascript:alert(1)', null],
  ])(
    'the repository URL comes from DOCS_REPOSITORY or package.json, and only a web address is accepted: %s',
    (_, packageJson, asked, expected) => {
      expect(repositoryUrl(packageJson, asked)).toBe(expected)
    },
  )

  it('the site index contains the repository link', () => {
    expect(site.index.repository).toBe(repositoryUrl(readFileSync(path.join(root, 'package.json'), 'utf8')))
  })
})
