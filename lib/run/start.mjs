// @ts-check
// `npm start`: from a clone to a service that answers. Every step looks first whether it has anything to do, so that a
// second start takes seconds. It is one process; what it starts, it stops, and what it cannot stop because it was killed
// ends by itself or is found by the next start.
import { mkdirSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildPages, bundlePrograms } from './build.mjs'
import { DirectoryInUse, startEmbedded } from './embedded-postgres.mjs'
import { dataDirectory, postgresDirectory, root, settleEnvironment } from './environment.mjs'
import { read, write } from './kept-file.mjs'
import { migrate } from './migrate.mjs'
import { endPrograms } from './progress.mjs'
import { findRunning, tellRunning, tellStopped } from './running.mjs'
import { Sentence } from './sentence.mjs'

/** A start right after a kill waits this long for what was killed to end. */
const patienceMs = 3000

/** What has been started; the last is stopped first. */
const started = /** @type {(() => unknown)[]} */ ([endPrograms])
let stopping = false

async function start() {
  mkdirSync(dataDirectory(), { recursive: true })
  settleEnvironment()
  const programs = await bundlePrograms()
  const { port, publicBaseUrl, environment } = await checkedConfig(programs)
  await refuseTakenPort(port)
  const embedded = !process.env.DATABASE_URL
  const databaseUrl = process.env.DATABASE_URL || (await startDatabase())
  process.env.DATABASE_URL = databaseUrl
  await migrate(databaseUrl)
  if (embedded) tellRunning({ databaseUrl, baseUrl: publicBaseUrl, environment })
  await buildPages()
  // What serves a build of Next has to run with this, whatever the environment is. Modules look at it when they load.
  Object.assign(process.env, { NODE_ENV: 'production' })
  const demo = environment === 'development' ? await keptDemo(programs) : null
  const server = await (await import(path.join(programs, 'server.mjs'))).start(root)
  started.push(server.stop)
  console.log(welcome(publicBaseUrl, demo))
}

/** @param {string} programs */
async function checkedConfig(programs) {
  const { readConfig, InvalidConfig } = await import(path.join(programs, 'config.mjs'))
  try {
    // The embedded database's address is not known yet, and needs no check.
    return readConfig({ ...process.env, DATABASE_URL: process.env.DATABASE_URL || 'postgresql://embedded' })
  } catch (error) {
    throw error instanceof InvalidConfig ? new Sentence(/** @type {Error} */ (error).message) : error
  }
}

/** @param {number} port */
async function refuseTakenPort(port) {
  for (const patience = Date.now() + patienceMs; ; await sleep(100)) {
    const trouble = await listenError(port)
    if (!trouble) return
    if (trouble === 'EACCES')
      throw new Sentence(`Port ${port} needs more rights than this user has; set PORT to another one.`)
    if (trouble !== 'EADDRINUSE')
      throw new Sentence(`Port ${port} cannot be used (${trouble}); set PORT to another one.`)
    if (Date.now() < patience) continue
    const running = process.env.DATABASE_URL ? null : await findRunning()
    throw running
      ? alreadyRuns(running)
      : new Sentence(`Port ${port} is in use by another program; end it, or set PORT.`)
  }
}

/** @param {{ pid: number, baseUrl?: string }} running */
const alreadyRuns = ({ pid, baseUrl }) =>
  new Sentence(`Billhook already runs from this folder: process ${pid}${baseUrl ? ` at ${baseUrl}` : ''}.`)

/**
 * @param {number} port
 * @returns {Promise<string | undefined>} why nobody can listen there
 */
function listenError(port) {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', (error) => resolve(/** @type {NodeJS.ErrnoException} */ (error).code))
    probe.listen(port, () => probe.close(() => resolve(undefined)))
  })
}

async function startDatabase() {
  for (let patience = Date.now() + patienceMs; ; await sleep(50)) {
    try {
      const database = await startEmbedded({ directory: postgresDirectory(), purpose: 'npm start' })
      started.push(database.stop, tellStopped)
      database.exited.then(() => fail(new Sentence(`The embedded PostgreSQL ended; see ${postgresDirectory()}.log.`)))
      return database.url
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error
      // A command of the command line ends by itself, however long it takes.
      if (error.holder?.purpose !== 'npm start') patience = Date.now() + patienceMs
      if (Date.now() < patience) continue
      throw alreadyRuns((await findRunning()) ?? { pid: error.holder?.pid ?? 0 })
    }
  }
}

/** @typedef {{ storefrontId: string, testKey: string, liveKey: string, email: string, password: string }} Demo */

/**
 * @param {string} programs
 * @returns {Promise<Demo | null>}
 */
async function keptDemo(programs) {
  const { findDemo } = await import(path.join(programs, 'demo.mjs'))
  const file = path.join(dataDirectory(), 'demo.json')
  const known = read(file)
  const demo = await findDemo(known && JSON.parse(known))
  if (demo) write(file, `${JSON.stringify(demo, null, 2)}\n`)
  return demo
}

/**
 * @param {string} baseUrl
 * @param {Demo | null} demo
 */
function welcome(baseUrl, demo) {
  const lines = [`Billhook is ready at ${baseUrl}`, '']
  if (demo) {
    lines.push(
      `  Demo storefront  ${demo.storefrontId}`,
      `  Test key         ${demo.testKey}`,
      `  Live key         ${demo.liveKey}`,
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

/** @param {number} code */
async function stop(code) {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(code), 30_000).unref()
  while (started.length > 0) await started.pop()?.()
  process.exit(code)
}

/** @param {unknown} error */
function fail(error) {
  if (stopping) return
  console.error(error instanceof Sentence ? error.message : error)
  return stop(1)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))
// When npm is killed hard it takes nobody with it, and we would hold the port against the next start. (The script says
// `exec`, so that npm, and not a shell, is our parent.)
const parent = process.ppid
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === parent || stop(0), 200).unref()

start().catch(fail)
