// @ts-check
// From a clone to a running service. Every step first checks whether anything is left to do, so that a second start
// takes seconds. If the process is killed, its children end too, or the next start finds them. With WEB_PROCESSES,
// several processes answer requests, and SIGHUP replaces them one by one.
import './profile-signal.mjs'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { read, write } from './atomic-file.mjs'
import { buildPages, bundlePrograms } from './build.mjs'
import { DirectoryInUse, startEmbedded } from './embedded-postgres.mjs'
import { dataDirectory, postgresDirectory, root, settleEnvironment } from './environment.mjs'
import { migrate } from './migrate.mjs'
import { alreadyRuns, patienceMs, refuseTakenPort, takenPort } from './port.mjs'
import { endPrograms } from './progress.mjs'
import { findRunning, recordRunning, recordStopped } from './running.mjs'
import { supervise } from './supervisor.mjs'
import { UserFacingError } from './user-facing-error.mjs'

/** Everything started so far, to be stopped in reverse order. */
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
  mkdirSync(dataDirectory(), { recursive: true })
  settleEnvironment()
  const programs = await bundlePrograms()
  const { port, publicBaseUrl, environment, webProcesses } = await checkedConfig(programs)
  await refuseTakenPort(port)
  const embedded = !process.env.DATABASE_URL
  if (embedded && role !== 'all')
    throw new UserFacingError(
      `\`npm start -- ${role}\` needs DATABASE_URL: the embedded PostgreSQL belongs to one process, which does everything.`,
    )
  const databaseUrl = process.env.DATABASE_URL || (await startDatabase())
  process.env.DATABASE_URL = databaseUrl
  // Migrations need a session, which a pooler in front of the database does not keep.
  await migrate(process.env.DATABASE_DIRECT_URL || databaseUrl)
  if (embedded) recordRunning({ databaseUrl, baseUrl: publicBaseUrl, environment })
  if (role !== 'worker') await buildPages()
  // In every environment Next.js serves a build only with this setting. Modules read it when they load.
  Object.assign(process.env, { NODE_ENV: 'production' })
  const demo = environment === 'development' && role === 'all' ? await keptDemo(programs) : null
  if (role === 'worker' || webProcesses === null) started.push((await serve(programs, port, role)).stop)
  else await serveByMany(programs, role, webProcesses)
  console.log(
    role === 'worker'
      ? `Billhook runs tasks; http://localhost:${port}/readyz says how it does.`
      : welcome(publicBaseUrl, demo),
  )
}

/** @param {string} programs */
async function checkedConfig(programs) {
  const { readConfig, InvalidConfig } = await import(path.join(programs, 'config.mjs'))
  try {
    // The address of the embedded database is still unknown, and needs no check.
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
        fail(new UserFacingError(`The embedded PostgreSQL ended; see ${postgresDirectory()}.log.`)),
      )
      return database.url
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error
      // A command of the command line ends on its own, but may take long.
      if (error.holder?.purpose !== 'npm start') patience = Date.now() + patienceMs
      if (Date.now() < patience) continue
      throw alreadyRuns((await findRunning()) ?? { pid: error.holder?.pid ?? 0 })
    }
  }
}

/**
 * @param {string} programs
 * @param {number} port
 * @param {Role} role
 * @returns {Promise<{ stop: (ending?: import('../lib/server/server.ts').Ending) => Promise<void> }>}
 */
async function serve(programs, port, role) {
  const { start } = await import(path.join(programs, 'server.mjs'))
  // The port was free at the first check, but another program took it during the build.
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
    lines.push('  npm run --silent cli -- --help   makes merchants, storefronts and keys', '')
  }
  return lines.concat('Ctrl-C stops it.').join('\n')
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
  // The bundled programs have their own class of this name.
  const { name, message } = /** @type {Error} */ (error)
  console.error(name === 'UserFacingError' ? message : error)
  return stop(1)
}

process.on('SIGINT', () => stop(0))
process.on('SIGTERM', () => stop(0, 'gently'))
// A terminal sends SIGHUP when it is closed.
process.on('SIGHUP', () => (roll && !process.stdin.isTTY ? roll() : stop(0)))
// When npm is killed, its children survive, and this process would keep the port from the next start. The npm script
// uses `exec`, so that npm and not a shell is the parent of this process.
const parent = process.ppid
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === parent || stop(0), 200).unref()

start().catch(fail)
