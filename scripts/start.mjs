// @ts-check
// Starts the service from a clone. Each step first checks whether it has work to do. With WEB_PROCESSES, several processes serve requests, and SIGHUP replaces
// them one by one.
import './profile-signal.mjs'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { read, write } from './atomic-file.mjs'
import { buildPages, bundlePrograms } from './build.mjs'
import { DirectoryInUse, startEmbedded } from './embedded-postgres.mjs'
import { dataDirectory, postgresDirectory, root, settleEnvironment } from './environment.mjs'
import { requireDatabaseUrl } from './finished-build.mjs'
import { migrateService } from './migrate.mjs'
import { alreadyRuns, patienceMs, refuseTakenPort, takenPort } from './port.mjs'
import { endPrograms } from './progress.mjs'
import { findRunning, recordRunning, recordStopped } from './running.mjs'
import { supervise } from './supervisor.mjs'
import { UserFacingError, withoutAccess } from './user-facing-error.mjs'

const started = /** @type {((ending: import('../lib/server/server.ts').Ending) => unknown)[]} */ ([endPrograms])
let stopping = false
/** Replaces the processes one by one; null if one process does everything. @type {(() => unknown) | null} */
let roll = null

/** @typedef {'all' | 'web' | 'worker'} Role */

/** @returns {Role} what this process does */
function askedRole() {
  const [role = 'all', ...others] = process.argv.slice(2)
  if ((role !== 'all' && role !== 'web' && role !== 'worker') || others.length > 0)
    throw new UserFacingError(
      '`npm start` takes one word: all (the default), web (the API and the pages), or worker (tasks).',
    )
  return role
}

async function start() {
  const role = askedRole()
  settleEnvironment()
  requireDatabaseUrl()
  const programs = await bundlePrograms()
  const { port, listenAddress, publicBaseUrl, environment, webProcesses } = await checkedConfig(programs)
  await refuseTakenPort(port, listenAddress)
  const embedded = !process.env.DATABASE_URL
  if (embedded && role !== 'all')
    throw new UserFacingError(
      `\`npm start -- ${role}\` needs DATABASE_URL. The embedded PostgreSQL serves only a start without a role.`,
    )
  const databaseUrl = process.env.DATABASE_URL || (await startDatabase())
  process.env.DATABASE_URL = databaseUrl
  await migrateService(databaseUrl)
  if (embedded) recordRunning({ databaseUrl, baseUrl: publicBaseUrl, environment })
  if (role !== 'worker') await buildPages()
  // Next.js serves a build only with NODE_ENV=production. The variable is set here, before the import of the server,
  // because modules read NODE_ENV when they load.
  Object.assign(process.env, { NODE_ENV: 'production' })
  const demo = environment === 'development' && role === 'all' ? await keptDemo(programs) : null
  if (role === 'worker' || webProcesses === null) started.push((await serve(programs, port, role)).stop)
  else await serveByMany(programs, role, webProcesses)
  console.log(
    role === 'worker'
      ? `Billhook runs tasks. http://localhost:${port}/readyz shows the state.`
      : welcome(publicBaseUrl, demo),
  )
}

/** @param {string} programs */
async function checkedConfig(programs) {
  const { readConfig, InvalidConfig } = await import(path.join(programs, 'config.mjs'))
  try {
    // The URL of the embedded database is not known yet, so the check of the configuration uses a placeholder.
    return readConfig({ ...process.env, DATABASE_URL: process.env.DATABASE_URL || 'postgresql://embedded' })
  } catch (error) {
    throw error instanceof InvalidConfig ? new UserFacingError(/** @type {Error} */ (error).message) : error
  }
}

async function startDatabase() {
  for (let patience = Date.now() + patienceMs; ; await sleep(50)) {
    try {
      const database = await startEmbedded({ directory: postgresDirectory(), purpose: 'npm start' })
      started.push(database.stop, recordStopped)
      database.exited.then(() =>
        fail(new UserFacingError(`The embedded PostgreSQL ended. See ${postgresDirectory()}.log.`)),
      )
      return database.url
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error
      // A command may run for a long time, so a start waits until the command releases the database.
      if (error.holder?.purpose !== 'npm start') patience = Date.now() + patienceMs
      if (Date.now() < patience) continue
      throw alreadyRuns((await findRunning()) ?? { pid: error.holder?.pid ?? 0 })
    }
  }
}

/**
 * @param {string} programs @param {number} port @param {Role} role
 * @returns {Promise<{ stop: (ending?: import('../lib/server/server.ts').Ending) => Promise<void> }>}
 */
async function serve(programs, port, role) {
  const { start } = await import(path.join(programs, 'server.mjs'))
  // Another program may have taken the port during the build.
  return start(root, role).catch((/** @type {NodeJS.ErrnoException} */ error) => {
    throw error.code === 'EADDRINUSE' ? takenPort(port) : error
  })
}

/** @param {string} programs @param {Role} role @param {number} webProcesses */
async function serveByMany(programs, role, webProcesses) {
  const supervisor = await supervise({
    program: path.join(root, 'scripts/one-process.mjs'),
    args: [programs],
    parts: [...Array(webProcesses).fill('web'), ...(role === 'all' ? /** @type {const} */ (['tasks']) : [])],
    report: (line) => console.error(line),
  })
  started.push(() => supervisor.stop())
  roll = () => supervisor.roll()
  process.on('SIGUSR2', () => supervisor.pass('SIGUSR2'))
}

/** @typedef {{ storefrontId: string, testKey: string, liveKey: string, email: string, password: string }} Demo */

/** @param {string} programs @returns {Promise<Demo | null>} */
async function keptDemo(programs) {
  const { findDemo } = await import(path.join(programs, 'demo.mjs'))
  mkdirSync(dataDirectory(), { recursive: true })
  const file = path.join(dataDirectory(), 'demo.json')
  const known = read(file)
  const demo = await findDemo(known && JSON.parse(known))
  if (demo) write(file, `${JSON.stringify(demo, null, 2)}\n`)
  return demo
}

/** @param {string} baseUrl @param {Demo | null} demo */
function welcome(baseUrl, demo) {
  const lines = [`Billhook is ready at ${baseUrl}`, '']
  if (demo) {
    lines.push(
      `  Demo storefront  ${demo.storefrontId}`,
      `  Test key         ${demo.testKey}`,
      `  Live key         ${demo.liveKey}`,
      `  Admin area       ${baseUrl}/admin`,
      `  Operator         ${demo.email}  password ${demo.password}`,
      '',
      `  curl -s ${baseUrl}/v1/subscription-plans -H 'Authorization: Bearer ${demo.testKey}'`,
      '',
    )
  } else {
    lines.push('  npm run --silent cli -- --help   creates merchants, storefronts and keys', '')
  }
  return lines.concat('Ctrl-C stops the service.').join('\n')
}

/** @param {number} code @param {import('../lib/server/server.ts').Ending} [ending] */
async function stop(code, ending = 'now') {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(code), 30_000).unref()
  while (started.length > 0) await started.pop()?.(ending)
  process.exit(code)
}

/** @param {unknown} error */
function fail(error) {
  if (stopping) return
  // The bundled programs contain their own copy of the class UserFacingError, so the name is compared instead of the class.
  const shown = withoutAccess(error)
  const { name, message } = /** @type {Error} */ (shown)
  console.error(name === 'UserFacingError' ? message : shown)
  return stop(1)
}

process.on('SIGINT', () => stop(0))
process.on('SIGTERM', () => stop(0, 'gently'))
// SIGHUP from a closed terminal stops the service. Any other SIGHUP requests a rolling restart.
process.on('SIGHUP', () => (roll && !process.stdin.isTTY ? roll() : stop(0)))
// Stops when the parent process ends, because this process would otherwise keep the port after npm is killed. The npm
// script uses `exec`, so the parent is npm.
const parent = process.ppid
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === parent || stop(0), 200).unref()

start().catch(fail)
