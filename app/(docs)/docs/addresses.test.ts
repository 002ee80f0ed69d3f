import { expect, it } from 'vitest'
import { llmsText, robotsText, sitemap } from './addresses.ts'

const entry = { slug: 'tour', label: 'Tour', title: 'The tour', description: 'It sells a plan.' }
const home = { slug: '', label: 'Introduction', title: 'Documentation', description: 'What it is.' }
const index = { repository: null, groups: [{ title: 'Start', pages: [home, entry] }] }

it('llms.txt lists the Markdown files of all documentation pages by group', () => {
  const text = llmsText(index, 'https://pay.example')
  expect(text).toContain('## Start\n\n- [Documentation](https://pay.example/docs/index.md): What it is.\n')
  expect(text).toContain('- [The tour](https://pay.example/docs/tour.md): It sells a plan.\n')
})

it('the sitemap lists the front page, every documentation page, and every resource of the API', () => {
  const addresses = [...sitemap(index, [{ slug: 'orders' }], 'https://pay.example').matchAll(/<loc>(.*?)<\/loc>/g)]
  expect(addresses.map(([, address]) => address)).toEqual(
    ['/', '/docs', '/docs/tour', '/docs/api', '/docs/events', '/docs/orders'].map(
      (path) => `https://pay.example${path}`,
    ),
  )
})

it('robots.txt allows the front page and the documentation, but allows nothing if indexing is disabled', () => {
  expect(robotsText(true, 'https://pay.example')).toBe(
    'User-agent: *\nAllow: /$\nAllow: /docs\nDisallow: /\n\nSitemap: https://pay.example/sitemap.xml\n',
  )
  expect(robotsText(false, 'https://pay.example')).toBe('User-agent: *\nDisallow: /\n')
})
