import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((file) => path.join('docs', file)),
].filter((file) => file.endsWith('.md') && !file.includes('/node_modules/'))

const linksOf = (text: string): string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) =>
    /^[a-z]+:/.test(target) ? [] : [target],
  )

/** Follows GitHub's rules for anchors. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )

function brokenLinks(file: string, text: string): string[] {
  return linksOf(text).filter((link) => {
    const [name = '', anchor] = link.split('#')
    const target = name === '' ? file : path.join(path.dirname(file), name)
    if (!existsSync(target)) return true
    const isHeading = anchor !== undefined && target.endsWith('.md')
    return isHeading && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
  })
}

it('links between documents lead to existing files and headings', () => {
  expect(documents.length).toBeGreaterThan(60)
  const broken = documents.flatMap((file) =>
    brokenLinks(file, readFileSync(file, 'utf8')).map((link) => `${file}: ${link}`),
  )
  expect(broken).toEqual([])
})

it('the link check finds a missing file, a missing heading, and a missing heading of the same page', () => {
  const text =
    'See [a](contract/none.md), [b](contract/tax.md#none), [c](contract/tax.md#tax-ids), [d](https://example.com).'
  expect(brokenLinks('docs/x.md', text)).toEqual(['contract/none.md', 'contract/tax.md#none'])
  expect(brokenLinks('docs/contract/tax.md', '[here](#tax-ids), [nowhere](#none)')).toEqual(['#none'])
})
