// @ts-check
// `node scripts/container-trial.mjs ENGINE IMAGE` runs the image with Docker or Podman and checks its responses.
// TRIAL_DATABASE_URL names an empty database; by default, the script starts PostgreSQL. TRIAL_OPTIONS adds options to
// the `run` command of the engine.
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { command, UserFacingError } from './user-facing-error.mjs'

const [engine = '', image = ''] = process.argv.slice(2)
/** The engine may include options, such as "podman --runtime runc". */
const [program = '', ...general] = engine.split(' ')
const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-trial-'))
const id = `billhook-trial-${process.pid}`
const ports = { web: '3991', worker: '3992', database: '55439' }
const roles = /** @type {const} */ (['web', 'worker'])
const further = (process.env.TRIAL_OPTIONS ?? '').split(' ').filter(Boolean)
const settings = {
  PUBLIC_BASE_URL: 'https://pay.example.com',
  SELLER_NAME: 'Lumen B.V.',
  SELLER_STREET: 'Keizersgracht 1',
  SELLER_POSTAL_CODE: '1015 CN',
  SELLER_CITY: 'Amsterdam',
  SELLER_VAT_ID: 'NL000099998B57',
  WEB_PROCESSES: '1',
}

/** @param {string[]} args */
const run = (...args) =>
  execFileSync(program, [...general, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
/** @param {unknown} holds @param {string} fact */
function check(holds, fact) {
  if (!holds) throw new UserFacingError(`Not true: ${fact}`)
  console.log(`ok  ${fact}`)
}

/** @param {Record<string, string>} environment */
const optionsOf = (environment) => [
  ...[
    '--network=host',
    '--read-only',
    '--tmpfs=/tmp',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    ...further,
  ],
  `--volume=${folder}:/run/secrets:ro`,
  ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
]
const complete = {
  ...settings,
  BILLHOOK_ENV: 'production',
  DATABASE_URL_FILE: '/run/secrets/database_url',
  SECRET_KEY_FILE: '/run/secrets/secret_key',
}
/** @param {string} script @returns {string} its output */
const once = (script) => run('run', '--rm', ...optionsOf(complete), image, 'node', script)
/** @param {'web' | 'worker'} role */
const start = (role) =>
  run(
    'run',
    '--detach',
    `--name=${id}-${role}`,
    ...optionsOf({ ...complete, PORT: ports[role] }),
    image,
    'node',
    'scripts/start.mjs',
    role,
  )

/** @param {'web' | 'worker'} role @param {string} where @param {RequestInit} [request] */
const ask = (role, where, request) =>
  fetch(`http://127.0.0.1:${ports[role]}${where}`, { redirect: 'manual', ...request })

/** @param {() => Promise<boolean>} holds @param {string} fact */
async function eventually(holds, fact) {
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(250))
    if (await holds().catch(() => false)) return check(true, fact)
  check(false, fact)
}

async function database() {
  if (process.env.TRIAL_DATABASE_URL) return process.env.TRIAL_DATABASE_URL
  const password = randomBytes(12).toString('hex')
  const environment = [
    '--env',
    `POSTGRES_PASSWORD=${password}`,
    '--env',
    'POSTGRES_DB=billhook',
    '--env',
    'POSTGRES_USER=billhook',
  ]
  const published = `127.0.0.1:${ports.database}:5432`
  run(
    'run',
    '--detach',
    `--name=${id}-database`,
    '--publish',
    published,
    ...environment,
    'docker.io/library/postgres:18.4',
  )
  const isReady = async () =>
    spawnSync(program, [...general, 'exec', `${id}-database`, 'pg_isready', '--host=127.0.0.1']).status === 0
  await eventually(isReady, 'PostgreSQL is ready')
  return `postgresql://billhook:${password}@127.0.0.1:${ports.database}/billhook`
}

/** @param {string} databaseUrl */
function writeFiles(databaseUrl) {
  const files = {
    database_url: databaseUrl,
    secret_key: randomBytes(32).toString('base64'),
    password: randomBytes(16).toString('hex'),
    'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="32"><path d="M0 0h96v32H0z"/></svg>',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), `${text}\n`, { mode: 0o644 })
  execFileSync('chmod', ['755', folder])
}

async function checkStart() {
  const bare = spawnSync(program, [...general, 'run', '--rm', ...optionsOf(settings), image], { encoding: 'utf8' })
  check(
    bare.status === 1 && /^DATABASE_URL must be set: /m.test(bare.stderr),
    'without DATABASE_URL the image refuses to start',
  )
  check(once('scripts/migrate-database.mjs').includes('has all migrations'), 'the image migrates an empty database')
  check(once('scripts/migrate-database.mjs').includes('has all migrations'), 'a second migration has no effect')

  for (const role of roles) start(role)
  for (const role of roles) {
    await eventually(async () => (await ask(role, '/livez')).ok, `the ${role} container responds`)
    const ready = await (await ask(role, '/readyz')).json()
    check(ready.ready && ready.migrations === 'ok', `the ${role} container is ready`)
    run('exec', `${id}-${role}`, 'node', 'scripts/probe.mjs')
    check(true, `the health check of the ${role} container succeeds`)
  }
}

async function checkPages() {
  for (const page of ['/', '/admin/sign-in', '/docs', '/docs/production.md', '/docs/orders', '/v1/openapi.json'])
    check((await ask('web', page)).status === 200, `the web container serves ${page}`)
  check((await ask('worker', '/docs')).status === 404, 'the worker container serves no pages')
  const script = /\/_next\/static\/[^"]+\.js/.exec(await (await ask('web', '/docs')).text())?.[0] ?? '/none'
  check((await ask('web', script)).status === 200, 'the web container serves the scripts of the pages')
}

/** Tests whether the image can encode a logo and hash a password. Then creates a plan and a checkout over the API. */
async function checkSale() {
  /** @param {string[]} args */
  const cli = (...args) => JSON.parse(run('exec', `${id}-web`, 'node', 'scripts/cli.mjs', ...args, '--json'))
  const { merchantId } = cli('merchant', 'create', '--name', 'Trial')
  const { testKey, storefrontId } = cli('storefront', 'create', '--merchant', merchantId, '--name', 'Trial')
  const { logo } = cli('brand', 'set', '--storefront', storefrontId, '--logo', '/run/secrets/logo.svg')
  check(/^\/brand\/.*\.png/.test(logo), 'the image encodes a logo')
  const operator = ['operator', 'create', '--email', 'ops@example.com', '--password-file', '/run/secrets/password']
  run('exec', '--user=20001', `${id}-web`, 'node', 'scripts/cli.mjs', ...operator)
  check(true, 'the image hashes a password, also for a user without a name')

  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
  /** @param {string} where @param {object} body */
  const create = async (where, body) => {
    const response = await ask('web', where, { method: 'POST', headers, body: JSON.stringify(body) })
    check(response.ok, `a key of the command line may create ${where} (${response.status})`)
    return response.json()
  }
  const plan = await create('/v1/subscription-plans', {
    name: 'Team',
    description: 'One seat',
    basePrice: { value: '10.00', currency: 'EUR' },
    taxBehavior: 'exclusive',
    productType: 'saas',
    interval: 'month',
    intervalCount: 1,
  })
  const plans = await (await ask('web', '/v1/subscription-plans', { headers })).json()
  check(plans.data.length === 1, 'the API lists the plan')
  const products = [{ id: plan.id, quantity: 1 }]
  const redirects = { redirectUrlSuccess: 'https://example.com/thanks', redirectUrlCanceled: 'https://example.com' }
  const checkout = await create('/v1/checkouts', { products, ...redirects })
  const page = await ask('web', new URL(checkout.links.checkoutUrl.href).pathname)
  check(page.status === 200 && (await page.text()).includes('Team'), 'the page of the checkout shows the plan')
  await checkDocuments(checkout, headers)
  check(
    spawnSync(program, [...general, 'exec', `${id}-web`, 'node', 'scripts/cli.mjs', 'invariants']).status === 0,
    'the invariants hold',
  )
}

/**
 * Pays the checkout, and downloads the invoice from an API route and from a page, because both have their own bundles.
 * @param {{ id: string, links: { checkoutUrl: { href: string } } }} checkout @param {Record<string, string>} headers
 */
async function checkDocuments(checkout, headers) {
  /** @param {string} url @param {Record<string, string>} fields */
  const submit = (url, fields) =>
    ask('web', `${new URL(url).pathname}/submit`, { method: 'POST', body: new URLSearchParams(fields) })
  /** @param {string} where @param {RequestInit} [request] */
  const read = async (where, request) => (await ask('web', `/v1${where}`, { headers, ...request })).json()
  const buyer = { email: 'ada@example.com', fullName: 'Ada', country: 'NL', paymentMethod: 'creditcard' }
  const payment = (await submit(checkout.links.checkoutUrl.href, buyer)).headers.get('location') ?? ''
  await submit(new URL(payment, settings.PUBLIC_BASE_URL).href, { outcome: 'paid' })
  const { orderId, customerId } = await read(`/checkouts/${checkout.id}`)
  check(orderId, 'a buyer pays a checkout')
  const { links } = await read(`/orders/${orderId}`)
  const pdf = await ask('web', `${new URL(links.customerInvoice.href).pathname}/pdf`)
  check(pdf.headers.get('content-type') === 'application/pdf', 'the image draws an invoice')
  const session = await read(`/customers/${customerId}/portal-sessions`, { method: 'POST', body: '{}' })
  const cookie = (await submit(session.url, {})).headers.get('set-cookie')?.split(';')[0] ?? ''
  const zip = await ask('web', '/portal/invoices/zip', { headers: { cookie } })
  check(zip.headers.get('content-type') === 'application/zip', 'the pages of the image draw an invoice')
}

function checkStop() {
  for (const role of roles) {
    run('stop', '--time=40', `${id}-${role}`)
    const code = run('inspect', '--format', '{{.State.ExitCode}}', `${id}-${role}`)
    check(code === '0', `the ${role} container ends with 0 after SIGTERM`)
    const { stdout, stderr } = spawnSync(program, [...general, 'logs', `${id}-${role}`], { encoding: 'utf8' })
    // The pattern contains codes and messages, because a log line has the code of an error, or only its message.
    check(
      !/MODULE_NOT_FOUND|Cannot find (?:module|package)/.test(stdout + stderr),
      `the ${role} container misses no file`,
    )
  }
}

async function trial() {
  writeFiles(await database())
  await checkStart()
  await checkPages()
  await checkSale()
  checkStop()
  const bytes = Number(run('image', 'inspect', '--format', '{{.Size}}', image))
  check(bytes < 350e6, `the image has less than 350 MB (${Math.round(bytes / 1e6)} MB)`)
}

command(async () => {
  if (!engine || !image)
    throw new UserFacingError('Name the engine and the image: node scripts/container-trial.mjs docker billhook.')
  try {
    await trial()
  } catch (error) {
    for (const role of roles)
      console.error(spawnSync(program, [...general, 'logs', `${id}-${role}`], { encoding: 'utf8' }).stderr)
    throw error
  } finally {
    for (const name of ['web', 'worker', 'database']) spawnSync(program, [...general, 'rm', '--force', `${id}-${name}`])
    rmSync(folder, { recursive: true })
  }
})
