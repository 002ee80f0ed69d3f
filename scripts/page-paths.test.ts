import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { hostedPages } from '../lib/kernel/hosted-pages.ts'
import { config } from '../proxy.ts'

const root = path.resolve(import.meta.dirname, '..')
const [matcher = ''] = config.matcher
const setsHeadersOf = (address: string) => new RegExp(`^${matcher}$`).test(address)

const filesOf = (folder: string) => readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })

/** The addresses that files of this name in `app` answer, with `x` for each parameter. */
const addresses = (file: 'page.tsx' | 'route.ts') =>
  filesOf('app')
    .filter((each) => path.basename(each) === file)
    .map((each) => {
      const parts = path.dirname(each).split(path.sep)
      const named = parts.filter((part) => part !== '.' && !part.startsWith('('))
      return `/${named.map((part) => (part === '[mode]' ? 'test' : part.replace(/^\[.*\]$/, 'x'))).join('/')}`
    })

// The proxy's policy would replace the one of a document that a route answers with, such as a preview of an email.
it('the headers of pages are set on every page, and on nothing that a route answers', () => {
  expect(addresses('page.tsx').filter((address) => !setsHeadersOf(address))).toEqual([])
  expect(addresses('route.ts').filter(setsHeadersOf)).toEqual([])
  expect([addresses('page.tsx').length > 40, addresses('route.ts').length > 60]).toEqual([true, true])
})

it('the table of hosted pages has each page of app/(hosted) that is behind a link, and no other', () => {
  const behindLinks = filesOf('app/(hosted)').flatMap((file) => /^(.+)\/\[token\]\/page\.tsx$/.exec(file)?.[1] ?? [])
  expect(behindLinks.sort()).toEqual(Object.keys(hostedPages).sort())
})
