// @ts-check
// A hash of the sources identifies each build, so nothing is built twice, and no outdated build is served.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { compressBelow } from './compress.mjs'
import { root } from './environment.mjs'
import { finishedPrograms } from './finished-build.mjs'
import { whileLocked } from './lock.mjs'
import { run, step } from './progress.mjs'
import { filesBelow, hashOf } from './source-files.mjs'

// The folder of the bundled programs. It is outside `.next`, because a page build clears `.next` while a program may run.
const programs = path.join(root, 'node_modules/.cache/billhook')

const SHARED_SOURCES = [
  'app',
  'lib',
  'scripts/demo.ts',
  'scripts/demo-history.ts',
  'scripts/build.mjs',
  'messages',
  'prisma/schema.prisma',
  'package-lock.json',
  'tsconfig.json',
]
const PAGE_SOURCES = [
  ...SHARED_SOURCES,
  'components',
  'docs/images',
  'package.json',
  'public',
  'next.config.ts',
  'postcss.config.mjs',
  'proxy.ts',
  'instrumentation.ts',
]

/** @returns {Promise<string>} the folder for this state of the sources; each state has its own folder, so programs of an older state keep running */
export async function bundlePrograms() {
  const finished = finishedPrograms()
  if (finished !== null) return finished
  const folder = path.join(programs, hashOf(SHARED_SOURCES.flatMap(filesBelow)))
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  mkdirSync(programs, { recursive: true })
  const draft = path.join(programs, `draft-${process.pid}`)
  try {
    await bundle(draft)
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // If the folder exists, another process built it first.
  }
  for (const old of superseded(programs, folder)) rmSync(old, { recursive: true, force: true })
  return folder
}

/** @param {string} outdir */
async function bundle(outdir) {
  // esbuild is imported only here, because a start with bundled programs does not need it.
  const esbuild = await import('esbuild')
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: {
      config: 'lib/platform/config.ts',
      server: ROUTED_SERVER,
      // The program of the PDF threads. The server looks for this program in the folder of `server.mjs`.
      worker: 'lib/modules/invoices/pdf/worker.mjs',
      demo: 'scripts/demo.ts',
      cli: 'lib/cli/main.ts',
    },
    outdir,
    outExtension: { '.js': '.mjs' },
    plugins: [routedServer],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // All packages stay external except zod, which every start loads and which loads faster from a bundle.
    external: dependencies().filter((name) => name !== 'zod'),
    sourcemap: 'linked',
    logLevel: 'warning',
  })
  // Without this call, the esbuild process would use 100 MB until this process ends.
  await esbuild.stop()
}

/** @returns {string[]} the packages that the programs need at run time */
const dependencies = () => Object.keys(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).dependencies)

const ROUTED_SERVER = 'billhook:server'

const MACHINE_ROUTES = [
  'app/v1',
  'app/livez',
  'app/readyz',
  'app/metrics',
  'app/api/inngest',
  'app/api/providers',
  'app/api/emails',
  'app/brand',
  'app/demo',
]
/**
 * The routes of the PDF and XML invoices. They run in the same process as the pages, and do not delay the pages, because
 * the server renders PDF files in separate threads.
 */
const INVOICE_FILES = 'app/(hosted)/invoices/[token]'

/** Generates the entry file of the server with all routes. */
const routedServer = {
  name: 'routes',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${ROUTED_SERVER}$`) }, ({ path }) => ({ path, namespace: 'billhook' }))
    build.onLoad({ filter: /.*/, namespace: 'billhook' }, () => {
      const files = [...MACHINE_ROUTES, INVOICE_FILES].flatMap(routeFiles)
      return {
        resolveDir: root,
        loader: 'ts',
        contents: [
          ...files.map((file, index) => `import * as route${index} from './${file}'`),
          `import type { Role } from './lib/server/role.ts'`,
          `import { serve } from './lib/server/server.ts'`,
          'const routes = [',
          ...files.map((file, index) => `  { path: ${JSON.stringify(pathOf(file))}, methods: route${index} },`),
          ']',
          'export const start = (root: string, role: Role) => serve(routes, root, role)',
        ].join('\n'),
      }
    })
  },
}

/** @param {string} folder */
function routeFiles(folder) {
  return filesBelow(folder).filter((file) => path.basename(file) === 'route.ts')
}

/**
 * Follows Next.js: `/v1/orders/[id]` for `app/v1/orders/[id]/route.ts`, without folders in parentheses.
 * @param {string} file
 */
function pathOf(file) {
  const segments = file.split('/').slice(1, -1)
  return `/${segments.filter((segment) => !/^\(.*\)$/.test(segment)).join('/')}`
}

export const buildPages = async () => {
  if (finishedPrograms() !== null) return
  await Promise.all([buildApp(), buildDocs()])
}

const DOCS_SOURCES = [
  'docs',
  'CHANGELOG.md',
  'SECURITY.md',
  'scripts/docs',
  'components/docs',
  'package.json',
  'package-lock.json',
]

export const docsFolder = path.join(root, 'node_modules/.cache/billhook-docs')

/** Renders the documentation in about three seconds, separately from the other pages, so that a change in `docs` needs no build of these pages. */
export async function buildDocs() {
  const folder = docsFolder
  const stamp = path.join(folder, 'sources')
  const files = DOCS_SOURCES.flatMap(filesBelow).filter(
    (file) => /\.(?:md|json|tsx?)$/.test(file) && !/node_modules|\.test\./.test(file),
  )
  const sum = createHash('sha256').update(process.env.DOCS_REPOSITORY ?? '')
  for (const file of files) sum.update(`${file}\0${readFileSync(path.join(root, file))}\0`)
  const hash = sum.digest('hex')
  const isCurrent = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
  if (isCurrent()) return
  await whileLocked(folder, 'rendering the documentation', async () => {
    if (isCurrent()) return
    const draft = `${folder}-draft`
    rmSync(draft, { recursive: true, force: true })
    const args = ['--import', 'tsx', path.join(root, 'scripts/docs/build-site.ts'), draft]
    await run('The documentation', process.execPath, args, { cwd: root })
    writeFileSync(path.join(draft, 'sources'), hash)
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  })
}

async function buildApp() {
  const stamp = path.join(root, '.next/billhook-sources')
  const isCurrent = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(pageSources())
  if (isCurrent()) return
  await whileLocked(path.join(root, '.next'), 'building the pages', async () => {
    if (isCurrent()) return
    const hash = hashOf(pageSources())
    rmSync(stamp, { force: true })
    await step('Building the pages (one to five minutes on two cores)', () =>
      run('next build', process.execPath, [path.join(root, 'node_modules/next/dist/bin/next'), 'build'], {
        cwd: root,
        env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      }),
    )
    await compressBelow(path.join(root, '.next/static'))
    writeFileSync(stamp, hash)
  })
}

function pageSources() {
  return PAGE_SOURCES.flatMap(filesBelow).filter((file) => !/^(?:scripts|lib\/(?:cli|testing))\//.test(file))
}

/**
 * Returns the folders to remove: all except the current folder and the four newest others, because a server may still
 * run from a recent folder.
 * @param {string} folder
 * @param {string} current
 */
export function superseded(folder, current) {
  const madeAt = (/** @type {string} */ each) => statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter((each) => each !== current)
    .map((each) => ({ each, time: madeAt(each) }))
    .sort((a, b) => b.time - a.time)
    .slice(4)
    .map(({ each }) => each)
}
