// @ts-check
// `npm test` runs all parts: check, unit, db, and e2e. `npm test unit db` runs only the named parts. `npm test unit FILE` runs only the named files of one part.
// Two parts run only by name: `faults` (long fault tests and the drills) and `attack` (tests of attacks).
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findChromium } from './chromium.mjs'
import { freePort, startEmbedded } from './embedded-postgres.mjs'
import { root } from './environment.mjs'
import { endPrograms, run, show } from './progress.mjs'
import { attackTests, faultTests, requireTests } from './test-files.mjs'
import { command, UserFacingError } from './user-facing-error.mjs'

/** @typedef {{ passed: number, failed: number }} Count */

const bin = (/** @type {string} */ name) => path.join(root, 'node_modules/.bin', name)
/** The workspace is in memory if there is room, because a database has many files. */
const workspace = mkdtempSync(path.join(hasRoom('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'billhook-test-'))
// If root runs this script, PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(workspace, 0o711)

const serviceData = path.join(workspace, 'data')
const chromium = once(findChromium)
const service = once(startService)

/** The failed tests are printed at the end, where readers of a long output look first. @type {string[]} */
const failures = []

const files = process.argv[2]?.match(/^(?:unit|db|e2e)$/)
  ? process.argv.slice(3).filter((each) => !/^(?:check|unit|db|e2e)$/.test(each))
  : []

/** @type {Record<string, () => Promise<Count>>} */
const everything = { check, unit: () => vitest('unit'), db, e2e }
/** @type {Record<string, () => Promise<Count>>} */
const parts = { ...everything, faults, attack }

async function main() {
  const asked = process.argv.slice(2)
  const names = files.length > 0 ? asked.slice(0, 1) : asked.length > 0 ? asked : Object.keys(everything)
  const total = { passed: 0, failed: 0 }
  if (names.length > 1 && names.includes('e2e')) startMeanwhile()
  for (const name of names) {
    const part = parts[name]
    if (!part)
      throw new UserFacingError(`There is no part "${name}" of the tests; there are ${Object.keys(parts).join(', ')}.`)
    console.log(`\n── ${name} ──`)
    const { passed, failed } = await part()
    console.log(`── ${name}: ${passed} passed, ${failed} failed ──`)
    total.passed += passed
    total.failed += failed
  }
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
}

/**
 * Starts two preparations while other tests run, because each preparation leaves a core idle: installing the browser,
 * and building and starting the service.
 */
function startMeanwhile() {
  for (const begun of [chromium(), service()]) begun.catch(() => undefined)
}

/** @template T @param {() => Promise<T>} begin @returns {() => Promise<T>} begins at the first call */
function once(begin) {
  /** @type {Promise<T> | undefined} */
  let begun
  return () => (begun ??= begin())
}

/** @param {string} folder a folder in memory */
function hasRoom(folder) {
  const gibibytes = 2 ** 30
  if (!existsSync(folder) || os.freemem() < 6 * gibibytes) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 4 * gibibytes
}

/** Runs all `check:` scripts of package.json concurrently. Each script counts as one test. @returns {Promise<Count>} */
async function check() {
  /** @type {Record<string, string>} */
  const scripts = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).scripts
  const checks = Object.entries(scripts)
    .filter(([name]) => name.startsWith('check:'))
    .map(([name, script]) => run(script, 'npm', ['run', '--silent', name], { cwd: root }))
  const refused = (await Promise.allSettled(checks)).flatMap((each) =>
    each.status === 'rejected' ? [each.reason] : [],
  )
  for (const { message } of refused) failures.push(message)
  return { passed: checks.length - refused.length, failed: refused.length }
}

/**
 * Throws a UserFacingError if a name of `only` matches no test file.
 * @param {import('./test-files.mjs').Project} project @param {Record<string, string>} [environment]
 * @param {string[]} [only] parts of the paths of test files; if empty, all tests run
 * @returns {Promise<Count>}
 */
async function vitest(project, environment, only = files) {
  requireTests(project, only)
  const file = path.join(workspace, `${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await show(bin('vitest'), ['run', '--project', `${project}*`, ...reporters, ...only], environment)
  const results = read(file)
  if (!results) return { passed: 0, failed: 1 }
  if (only.length === 0) showLongest(results.testResults)
  for (const { name, status, assertionResults } of results.testResults) {
    const failed = assertionResults.filter((/** @type {any} */ test) => test.status === 'failed')
    if (status === 'failed') failures.push(path.relative(root, name))
    for (const { fullName, failureMessages } of failed)
      failures.push(`  ${fullName}: ${failureMessages[0]?.split('\n')[0]}`)
  }
  // A file that cannot be loaded has no failed tests, but counts as one failure.
  const broken = results.testResults.filter(
    (/** @type {any} */ each) =>
      each.status === 'failed' && each.assertionResults.every((/** @type {any} */ test) => test.status !== 'failed'),
  ).length
  return strict({ passed: results.numPassedTests, failed: results.numFailedTests + broken }, code)
}

/**
 * Two files run at the same time, so the sum of all durations is about twice the duration of the test part.
 * @param {{ name: string, startTime: number, endTime: number }[]} results
 */
function showLongest(results) {
  const took = results.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
  const sum = took.reduce((total, { seconds }) => total + seconds, 0)
  console.log(`The longest of ${took.length} files, of ${Math.round(sum)} s in all:`)
  for (const { name, seconds } of took.sort((a, b) => b.seconds - a.seconds).slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${path.relative(root, name)}`)
}

/** @returns {Promise<Count>} */
function db() {
  return onDatabase((url) => vitest('db', { TEST_DATABASE_URL: url }))
}

/** Runs the long form of the fault tests (lib/testing/amount.ts), and then the drills. @returns {Promise<Count>} */
async function faults() {
  const { passed, failed } = await onDatabase((url) =>
    vitest('db', { TEST_DATABASE_URL: url, TEST_FAULTS: 'long' }, faultTests),
  )
  // A drill kills PostgreSQL and checks that committed data survives, so its database is not in memory.
  const drills = await show(process.execPath, ['--import', 'tsx', path.join(root, 'scripts/drills/drills.ts')])
  if (drills !== 0) failures.push('drills: their results are above')
  return drills === 0 ? { passed: passed + 1, failed } : { passed, failed: failed + 1 }
}

/** @returns {Promise<Count>} */
async function attack() {
  const unit = await vitest('unit', undefined, attackTests.unit)
  const db = await onDatabase((url) => vitest('db', { TEST_DATABASE_URL: url, TEST_FAULTS: 'long' }, attackTests.db))
  return { passed: unit.passed + db.passed, failed: unit.failed + db.failed }
}

/** @param {(url: string) => Promise<Count>} run @returns {Promise<Count>} */
async function onDatabase(run) {
  // The data does not outlive the tests, so crash protection is off.
  const durability = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', wal_level: 'minimal' }
  // New statistics of a table make PostgreSQL plan all statements on the table again, so autovacuum is off.
  // Planning a statement takes longer than running it on a few rows. A generic plan is made once for each connection.
  // Without this setting, PostgreSQL first makes five custom plans. The tests of large tables set the mode themselves, and
  // check custom and generic plans.
  const planning = { plan_cache_mode: 'force_generic_plan' }
  const settings = { ...durability, ...planning, max_wal_senders: '0', max_connections: '300', autovacuum: 'off' }
  const server = await startEmbedded({ directory: path.join(workspace, 'postgres'), purpose: 'tests', settings })
  try {
    return await run(server.url)
  } finally {
    await server.stop()
  }
}

/** Runs the browser tests against a separate installation. @returns {Promise<Count>} */
async function e2e() {
  if (!existsSync(path.join(root, 'playwright.config.ts'))) return { passed: 0, failed: 0 }
  const file = path.join(workspace, 'e2e.json')
  try {
    await chromium()
  } catch (error) {
    console.error(error instanceof UserFacingError ? error.message : error)
    return { passed: 0, failed: 1 }
  }
  const server = await service()
  try {
    const environment = { E2E_BASE_URL: server.baseUrl, BILLHOOK_DATA: serviceData, PLAYWRIGHT_JSON_OUTPUT_NAME: file }
    const code = await show(bin('playwright'), ['test', '--reporter=list,json', ...files], environment)
    const results = read(file)
    if (!results) return { passed: 0, failed: 1 }
    const { expected, unexpected, flaky } = results.stats
    for (const suite of results.suites) failures.push(...failedOf(suite))
    return strict({ passed: expected, failed: unexpected + flaky }, code)
  } finally {
    await server.stop()
  }
}

/** @returns {Promise<{ baseUrl: string, stop: () => Promise<void> }>} resolves when the service responds */
async function startService() {
  const port = String(await freePort())
  /** @type {Record<string, string | undefined>} */
  const environment = {
    ...process.env,
    PORT: port,
    BILLHOOK_DATA: serviceData,
    WEBHOOK_ALLOWED_HOSTS: 'localhost,127.0.0.1',
  }
  for (const name of ['DATABASE_URL', 'PUBLIC_BASE_URL', 'NODE_ENV']) delete environment[name]
  const child = spawn(process.execPath, [path.join(root, 'scripts/start.mjs')], {
    cwd: root,
    env: /** @type {any} */ (environment),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => child.once('exit', () => resolve()))
  process.once('exit', () => child.kill())
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes(' is ready at ') && resolve(undefined))
    ended.then(() => reject(new UserFacingError('The service for the browser tests did not start.')))
  })
  return {
    baseUrl: `http://localhost:${port}`,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}

/** @param {any} suite a file, or a group of tests in a file @returns {string[]} */
function failedOf(suite) {
  return [
    ...(suite.specs ?? [])
      .filter((/** @type {any} */ spec) => !spec.ok)
      .map((/** @type {any} */ { file, title }) => `e2e/${file}\n  ${title}`),
    ...(suite.suites ?? []).flatMap(failedOf),
  ]
}

/** @param {string} file */
function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/**
 * A process that fails without a failed test counts as one failure.
 * @param {Count} count @param {number} code @returns {Count}
 */
function strict(count, code) {
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}

process.on('exit', () => {
  endPrograms()
  // A database folder is a symbolic link if the database user cannot access the workspace.
  const databases = ['postgres', 'data/postgres']
    .map((name) => path.join(workspace, name))
    .filter((name) => existsSync(name))
  for (const folder of [...databases.map((name) => realpathSync(name)), workspace])
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

command(main)
