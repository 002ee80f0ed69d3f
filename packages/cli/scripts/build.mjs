// @ts-check
// Bundles the command line and the SDK into one file without dependencies.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '..')

/**
 * Two commands can build at the same time, so the bundle is replaced atomically.
 * @param {string} [target] the folder of the package
 */
export async function bundle(target = root) {
  const file = path.join(target, 'dist/billhook.js')
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const { outputFiles } = await build({
    entryPoints: [path.join(root, 'src/start.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    alias: { '@billhook/sdk': path.join(root, '../sdk/src/index.ts') },
    define: { VERSION: JSON.stringify(version) },
    legalComments: 'none',
    logLevel: 'warning',
  })
  const text = outputFiles[0]?.text ?? ''
  if (read(file) === text) return
  mkdirSync(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text)
  renameSync(draft, file)
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

if (process.argv[1] === import.meta.filename) await bundle(process.argv[2] ? path.resolve(process.argv[2]) : undefined)
