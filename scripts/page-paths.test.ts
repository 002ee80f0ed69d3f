import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { hostedPages, isPagePath } from '../lib/kernel/hosted-pages.ts'
import { config } from '../proxy.ts'

const root = path.resolve(import.meta.dirname, '..')
const filesOf = (folder: string) => readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })

const addresses = (file: 'page.tsx' | 'route.ts') =>
  filesOf('app')
    .filter((each) => path.basename(each) === file)
    .map((each) => {
      const parts = path.dirname(each).split(path.sep)
      const named = parts.filter((part) => part !== '.' && !part.startsWith('('))
      return `/${named.map((part) => (part === '[mode]' ? 'test' : part.replace(/^\[.*\]$/, 'x'))).join('/')}`
    })

// The proxy must not set the Content-Security-Policy of a route. A route that returns a document, such as an email
// preview, sets its own policy.
it('the proxy sets the headers of every page, and of no route', () => {
  expect(addresses('page.tsx').filter((address) => !isPagePath(address))).toEqual([])
  expect(addresses('route.ts').filter(isPagePath)).toEqual([])
  expect([addresses('page.tsx').length > 40, addresses('route.ts').length > 60]).toEqual([true, true])
})

it.each([
  ['/nothing-here', true],
  ['/checkout/token', true],
  ['/portal/sign-in/token', true],
  ['/v1x', true],
  ['/v1', false],
  ['/v1/orders', false],
  ['/checkout/token/submit', false],
  ['/checkout/token/pdf', true],
  ['/checkout/token/submit/more', true],
  ['/nothing/pdf', true],
  ['/api/nothing', true],
  ['/livez', false],
  ['/livez/more', true],
])('the proxy treats the path %s as a page: %s', (address, isPage) => {
  expect(isPagePath(address)).toBe(isPage)
})

it('the proxy runs for all paths except the files of Next.js', () => {
  const [matcher = ''] = config.matcher
  const runsFor = (address: string) => new RegExp(`^${matcher}$`).test(address)
  expect(['/', '/checkout/token', '/_nextx', '/_next/static/a.js'].map(runsFor)).toEqual([true, true, true, false])
})

it('the table of hosted pages lists exactly the pages of app/(hosted) that have a token in their path', () => {
  const behindLinks = filesOf('app/(hosted)').flatMap((file) => /^(.+)\/\[token\]\/page\.tsx$/.exec(file)?.[1] ?? [])
  expect(behindLinks.sort()).toEqual(Object.keys(hostedPages).sort())
})
