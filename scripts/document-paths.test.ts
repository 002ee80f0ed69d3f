import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

/** The paths and the npm scripts that the guides name are those that exist. */

const documents = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs/guides').map((file) => `docs/guides/${file}`),
]
const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)
const existing = pathsIn('.')

/** Files and folders, without what is installed or built. */
function pathsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const found = path.join(folder, entry.name)
    if (/^(node_modules|\.git|\.next|\.data)$/.test(entry.name)) return []
    return entry.isDirectory() ? [found, ...pathsIn(found)] : [found]
  })
}

/** Folders that are made on a machine, and are not in the repository. */
const generated = readFileSync('.gitignore', 'utf8')
  .split('\n')
  .filter((line) => line.endsWith('/'))

/** The words in backticks that are paths of the repository; an address begins with a slash. */
function pathsNamedBy(text: string): string[] {
  const quoted = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)]
  const words = quoted.flatMap(([, inside = '']) => inside.split(/\s+/))
  return words.filter(
    (word) =>
      !generated.some((folder) => word.startsWith(folder)) &&
      /^[\w.@()[\]<>-][\w.@()[\]<>/-]*$/.test(word) &&
      (/\.(tsx?|mjs|md|json|prisma|sql)$/.test(word) || /\//.test(word)),
  )
}

/** A whole path, or its end; `<name>` stands for any name. */
function exists(named: string): boolean {
  const literal = named.replace(/\/$/, '').replaceAll(/[.()[\]]/g, '\\$&')
  const pattern = new RegExp(`(^|/)${literal.replaceAll(/<\w+>/g, '[^/]+')}$`)
  return existing.some((each) => pattern.test(each))
}

const npmScriptsNamedBy = (text: string): string[] =>
  [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script)

describe.each(documents)('%s', (file) => {
  const text = readFileSync(file, 'utf8')

  it('names paths that exist', () => {
    expect(pathsNamedBy(text).length).toBeGreaterThan(2)
    expect(pathsNamedBy(text).filter((each) => !exists(each))).toEqual([])
  })

  it('names npm scripts that exist', () => {
    expect(npmScriptsNamedBy(text).filter((each) => !scripts.includes(each))).toEqual([])
  })
})

describe('the check', () => {
  it('finds paths in prose, in commands and over a line break', () => {
    const text =
      'See `lib/x.ts`, `npm run a -- lib/y.test.ts`, `app/(hosted)/[token]` and `npm run b --\n  e2e/z.ts`, at `/v1`, `.data/x.json`.'
    expect(pathsNamedBy(text)).toEqual(['lib/x.ts', 'lib/y.test.ts', 'app/(hosted)/[token]', 'e2e/z.ts'])
    expect(npmScriptsNamedBy(text)).toEqual(['a', 'b'])
  })

  it('knows what exists', () => {
    const named = ['lib/kernel/locale.ts', 'kernel/locale.ts', 'lib/providers/<name>/provider.ts', 'app/v1/']
    expect(named.filter((each) => !exists(each))).toEqual([])
    const missing = ['lib/kernel/locales.ts', 'rnel/locale.ts', 'lib/providers/<name>/none.ts', 'lib/kernel/locale']
    expect(missing.filter(exists)).toEqual([])
  })
})
