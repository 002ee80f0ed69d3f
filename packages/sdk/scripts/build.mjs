// @ts-check
// Each module format has its own folder, because a declaration file must match the format of its imports.
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '..')
const dist = path.join(process.argv[2] ? path.resolve(process.argv[2]) : root, 'dist')
const entries = ['index', 'web', 'next', 'hono', 'express', 'fastify', 'testing']

rmSync(dist, { recursive: true, force: true })
/** @type {import('esbuild').BuildOptions} */
const options = {
  entryPoints: entries.map((name) => path.join(root, `src/${name}.ts`)),
  bundle: true,
  platform: 'neutral',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
  // Only `listen` of the test server imports this Node.js module.
  external: ['node:http'],
  mainFields: ['module', 'main'],
}
await Promise.all([
  build({ ...options, format: 'esm', splitting: true, outdir: path.join(dist, 'esm') }),
  build({ ...options, format: 'cjs', outdir: path.join(dist, 'cjs') }),
])
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const project = ['-p', path.join(root, 'tsconfig.build.json'), '--outDir', path.join(dist, 'esm')]
execFileSync(process.execPath, [tsc, ...project], { stdio: 'inherit' })
// In declarations, tsc keeps the file names of imports (`.ts`), so this loop changes the file names to `.js`.
for (const file of readdirSync(path.join(dist, 'esm'), { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue
  const declarations = path.join(dist, 'esm', file)
  const text = readFileSync(declarations, 'utf8').replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js')
  writeFileSync(declarations, text)
}
cpSync(path.join(dist, 'esm'), path.join(dist, 'cjs'), {
  recursive: true,
  filter: (file) => !file.endsWith('.js'),
})
writeFileSync(path.join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
