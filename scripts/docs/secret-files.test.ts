import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codeBlocksOf } from './code-blocks.ts'

const pages = ['docs', 'docs/guides'].flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`),
)

/** Returns the files that the commands of `text` write, or read as a secret. Ignores placeholders in capitals, such as FILE. */
const filesIn = (text: string): string[] =>
  [...text.matchAll(/(?:--[\w-]+-file|--out|--in|--pdf|-keyout|-out|\s>) +"?([^\s")|;]+)/g)]
    .map(([, file = '']) => file)
    .filter((file) => !/^(?:[A-Z]+|\.\.\.)$/.test(file))

/** Git and the build of the image ignore `secrets/` and `.data/`. */
const isOutsideOrIgnored = (file: string) => /^(?:~\/|\/|\.\.\/|\$|secrets\/|\.data\/)/.test(file)

/** These files contain no secrets and no personal data. */
const harmless = ['preview.html', 'oss-2026-q4.csv', 'oss-2026-q4.txt']

it('the guides for operators write and read files with secrets or personal data outside the clone', () => {
  const found = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8')
    const inBlocks = codeBlocksOf(text).filter(({ language }) => language === 'sh')
    const inWords = [...text.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => ` ${words}`)
    return [...inBlocks.map((block) => block.text), ...inWords].flatMap(filesIn).map((file) => ({ page, file }))
  })
  expect(found.length).toBeGreaterThan(20)
  expect(found.filter(({ file }) => !isOutsideOrIgnored(file) && !harmless.includes(file))).toEqual([])
})

it('the check of the operator guides finds a command that writes a secret into the clone', () => {
  const files = filesIn(
    'openssl rand > password\ncli x --api-key-file key --out ~/a.xml --to FILE --password-file FILE\n',
  )
  expect(files).toEqual(['password', 'key', '~/a.xml'])
  expect(files.filter(isOutsideOrIgnored)).toEqual(['~/a.xml'])
})

it('git and the build of the image ignore private keys, backups, and exported storefronts in the clone', () => {
  const kinds = ['*.dump', '*.key', '*.pem', '*.storefront']
  expect(readFileSync('.gitignore', 'utf8').split('\n')).toEqual(expect.arrayContaining(kinds))
  const inEachFolder = kinds.map((kind) => `**/${kind}`)
  expect(readFileSync('.dockerignore', 'utf8').split('\n')).toEqual(expect.arrayContaining(inEachFolder))
})
