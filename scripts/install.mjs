// @ts-check
// Updates node_modules and the generated database client. Two stored hashes show whether both are up to date.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { read, write } from './atomic-file.mjs'
import { root } from './environment.mjs'
import { finishedPrograms } from './finished-build.mjs'
import { run, step } from './progress.mjs'

const lockFile = path.join(root, 'package-lock.json')
const installed = path.join(root, 'node_modules')
const schema = path.join(root, 'prisma/schema.prisma')
const generator = path.join(root, 'scripts/table-generator.mjs')
const client = path.join(root, 'prisma/client')

export async function install() {
  if (finishedPrograms() !== null) return
  const lock = readFileSync(lockFile)
  const lockStamp = hash(lock, process.platform, process.arch)
  const stampOfInstall = path.join(installed, '.billhook-install')
  if (read(stampOfInstall) !== lockStamp) {
    if (!matches(JSON.parse(lock.toString()))) await step('Installing the packages (npm ci)', npmCi)
    write(stampOfInstall, lockStamp)
  }
  const schemaStamp = hash(readFileSync(schema), readFileSync(generator), lockStamp)
  const stampOfClient = path.join(client, '.billhook-schema')
  if (read(stampOfClient) !== schemaStamp) {
    await step('Generating the database client', () => prisma(['generate']))
    write(stampOfClient, schemaStamp)
  }
}

/**
 * Runs Prisma with our schema engine. Resolves with the output.
 * @param {string[]} args @param {Record<string, string>} [environment] @returns {Promise<string>}
 */
export function prisma(args, environment) {
  return run(`prisma ${args.join(' ')}`, process.execPath, [path.join(installed, 'prisma/build/index.js'), ...args], {
    cwd: root,
    env: {
      ...process.env,
      ...environment,
      PRISMA_SCHEMA_ENGINE_BINARY: path.join(root, 'scripts/schema-engine.mjs'),
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  })
}

/**
 * Installs development packages too, because the build needs them, and because npm skips them with NODE_ENV=production.
 */
function npmCi() {
  const npm = process.env.npm_execpath
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  const options = { cwd: root }
  return npm?.endsWith('.js')
    ? run('npm ci', process.execPath, [npm, ...args], options)
    : run('npm ci', 'npm', args, options)
}

/**
 * Compares node_modules with the lock file, so a developer's own `npm install` is not repeated. Optional packages may
 * be missing, because some are for other platforms.
 * @param {{ packages: Record<string, { version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean }>
 * }} lock
 */
function matches(lock) {
  const text = read(path.join(installed, '.package-lock.json'))
  if (!text) return false
  const { packages: there } = /** @type {typeof lock} */ (JSON.parse(text))
  const wanted = Object.entries(lock.packages).filter(([name]) => name !== '')
  return (
    wanted.every(([name, { version, optional, devOptional }]) =>
      there[name] ? there[name].version === version : optional || devOptional,
    ) && Object.keys(there).every((name) => name in lock.packages)
  )
}

/** @param {...(Buffer | string)} parts */
function hash(...parts) {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest('hex')
}
