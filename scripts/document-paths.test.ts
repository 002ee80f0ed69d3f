import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`),
  ),
]
const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)
const existing = pathsIn('.')

function pathsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const found = path.join(folder, entry.name)
    if (/^(node_modules|\.git|\.next|\.data)$/.test(entry.name)) return []
    return entry.isDirectory() ? [found, ...pathsIn(found)] : [found]
  })
}

const generated = readFileSync('.gitignore', 'utf8')
  .split('\n')
  .filter((line) => line.endsWith('/'))

/**
 * Returns the words in backticks that look like paths of the repository. A word that begins with a slash is a URL path.
 */
function pathsNamedBy(text: string): string[] {
  const quoted = [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`]+)`/g)]
  const words = quoted.flatMap(([, inside = '']) => inside.split(/\s+/))
  return words.filter(
    (word) =>
      !generated.some((folder) => word.startsWith(folder)) &&
      /^[\w.@()[\]<>-][\w.@()[\]<>/-]*$/.test(word) &&
      !/^@[\w.-]+\//.test(word) && // excludes npm packages
      (/\.(tsx?|mjs|md|json|prisma|sql)$/.test(word) || /\//.test(word)),
  )
}

/** Whether the repository has a path that equals `named`, or that ends with a slash and `named`. `<name>` matches any name. */
function exists(named: string): boolean {
  const literal = named.replace(/\/$/, '').replaceAll(/[.()[\]]/g, '\\$&')
  const pattern = new RegExp(`(^|/)${literal.replaceAll(/<\w+>/g, '[^/]+')}$`)
  return existing.some((each) => pattern.test(each))
}

const npmScriptsNamedBy = (text: string): string[] =>
  [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => script)

describe.each(documents)('the document %s', (file) => {
  const text = readFileSync(file, 'utf8')

  it(`${file} names only existing paths`, () => {
    expect(pathsNamedBy(text).filter((each) => !exists(each))).toEqual([])
  })

  it(`${file} names only existing npm scripts`, () => {
    expect(npmScriptsNamedBy(text).filter((each) => !scripts.includes(each))).toEqual([])
  })
})

const markdown = existing.filter((file) => file.endsWith('.md'))

function linksOf(file: string, text = readFileSync(file, 'utf8')): string[] {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? '',
  )
  const local = targets.filter((target) => !/^[a-z]+:/.test(target))
  return local.map((target) => (target.startsWith('#') ? file + target : path.join(path.dirname(file), target)))
}

/** Follows GitHub's rules for anchors. */
const anchorsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

function leadsNowhere(target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const found = existing.includes(file.replace(/\/$/, ''))
  return !found || (anchor !== undefined && !anchorsOf(file).includes(anchor))
}

describe('links', () => {
  it('links of all documents lead to existing files and headings', () => {
    expect(markdown.length).toBeGreaterThan(100)
    const broken = markdown.flatMap((file) =>
      linksOf(file)
        .filter(leadsNowhere)
        .map((target) => `${file}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('the link check finds a misspelled file and a misspelled heading', () => {
    expect(leadsNowhere('docs/production.md#health')).toBe(false)
    expect(leadsNowhere('docs/decisions')).toBe(false)
    expect(['docs/productions.md', 'docs/production.md#wealth', 'docs/nothing/'].filter(leadsNowhere)).toHaveLength(3)
    const ofTheSamePage = linksOf('docs/production.md', 'See [a](#health) and [b](#wealth).')
    expect(ofTheSamePage.filter(leadsNowhere)).toEqual(['docs/production.md#wealth'])
  })

  it('docs/README.md links to every file and into every folder directly in docs', () => {
    const listed = linksOf('docs/README.md').map((target) => target.replace(/\/$/, ''))
    const pages = readdirSync('docs', { withFileTypes: true }).filter(
      ({ name }) => name !== 'README.md' && name !== 'images',
    )
    const unlisted = pages
      .map(({ name }) => `docs/${name}`)
      .filter((page) => !listed.some((target) => target === page || target.startsWith(`${page}/`)))
    expect(unlisted).toEqual([])
  })
})

it('README.md has at most 9 kB', () => {
  expect(Buffer.byteLength(readFileSync('README.md'))).toBeLessThanOrEqual(9_000)
})

describe('the check of document paths', () => {
  it('the path check finds paths in prose, in commands, and across a line break', () => {
    const text =
      'See `lib/x.ts`, `npm run a -- lib/y.test.ts`, `app/(hosted)/[token]` and `npm run b --\n  e2e/z.ts`, at `/v1`, `.data/x.json`.'
    expect(pathsNamedBy(text)).toEqual(['lib/x.ts', 'lib/y.test.ts', 'app/(hosted)/[token]', 'e2e/z.ts'])
    expect(npmScriptsNamedBy(text)).toEqual(['a', 'b'])
  })

  it('the path check distinguishes existing paths from missing paths', () => {
    const named = ['lib/kernel/locale.ts', 'kernel/locale.ts', 'lib/providers/<name>/provider.ts', 'app/v1/']
    expect(named.filter((each) => !exists(each))).toEqual([])
    const missing = ['lib/kernel/locales.ts', 'rnel/locale.ts', 'lib/providers/<name>/none.ts', 'lib/kernel/locale']
    expect(missing.filter(exists)).toEqual([])
  })
})
