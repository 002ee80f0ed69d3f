import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { GuidePage } from './guide-page.tsx'

const page = {
  slug: 'guides/upgrade',
  file: 'docs/guides/upgrade.md',
  title: 'Upgrade',
  description: '',
  html: '<p>Text</p>',
  headings: [],
}
const linksOf = (repository: string | null) =>
  [
    ...renderToStaticMarkup(<GuidePage page={page} repository={repository} />).matchAll(/<a href="([^"]+)">([^<]+)/g),
  ].map(([, href, label]) => [href, label])

it('a documentation page links to the editor of its source in the repository', () => {
  expect(linksOf('https://git.example/shop/billhook')).toEqual([
    ['/docs/guides/upgrade.md', 'This page as Markdown'],
    ['https://git.example/shop/billhook/edit/main/docs/guides/upgrade.md', 'Edit this page'],
  ])
})

it('a documentation page has no link to an editor if the repository is unknown', () => {
  expect(linksOf(null)).toEqual([['/docs/guides/upgrade.md', 'This page as Markdown']])
})
