// @ts-check
// The folder of this installation, and settings that processes need before they read the configuration.
import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOrWrite } from './atomic-file.mjs'
import { UserFacingError } from './user-facing-error.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/**
 * The data folder of this installation. Another installation in the same clone, such as the installation of the browser
 * tests, sets BILLHOOK_DATA.
 */
export const dataDirectory = () => path.resolve(root, process.env.BILLHOOK_DATA || '.data')
export const postgresDirectory = () => path.join(dataDirectory(), 'postgres')
export const runningFile = () => path.join(dataDirectory(), 'running.json')

/**
 * Reads `.env` before Next.js would. Sets BILLHOOK_ENV from the caller's NODE_ENV, because Next.js later needs NODE_ENV=production for any build. In
 * development, the secret key is generated at the first start and stored.
 */
export function settleEnvironment() {
  loadDotenv()
  process.env.BILLHOOK_ENV ||= process.env.NODE_ENV === 'production' ? 'production' : 'development'
  if (process.env.BILLHOOK_ENV === 'development') process.env.SECRET_KEY ||= keptSecretKey()
}

/** Environment variables take precedence over `.env`. Throws an EACCES error if `.env` cannot be read. */
export function loadDotenv() {
  const dotenv = path.join(root, '.env')
  if (existsSync(dotenv)) {
    // Checks the access first, because some Node.js versions report a file without read access as missing (ENOENT).
    accessSync(dotenv, constants.R_OK)
    process.loadEnvFile(dotenv)
  }
  readSecretFiles(process.env)
}

/** Docker and Kubernetes pass secrets as files. `SECRET_KEY_FILE` names the file for SECRET_KEY. */
export const secretVariables = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'MOLLIE_API_KEY',
  'MOLLIE_ACCESS_TOKEN',
  'STRIPE_API_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'EMAIL_NOTICES_SECRET',
  'HMRC_CLIENT_SECRET',
  'INNGEST_EVENT_KEY',
  'INNGEST_SIGNING_KEY',
]

/**
 * If `NAME_FILE` is set, reads this file and stores the trimmed text in the variable `NAME`. Throws a UserFacingError if the file
 * cannot be read, or if `NAME` is already set to a different value.
 * @param {NodeJS.ProcessEnv} environment
 */
export function readSecretFiles(environment) {
  for (const name of secretVariables) {
    const file = environment[`${name}_FILE`]
    if (!file) continue
    const secret = textOf(file, `${name}_FILE`)
    if (environment[name] && environment[name] !== secret)
      throw new UserFacingError(`Set ${name} or ${name}_FILE, not both.`)
    environment[name] = secret
  }
}

/** @param {string} file @param {string} variable */
function textOf(file, variable) {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new UserFacingError(`${variable} names a file that cannot be read (${code}).`)
  }
}

function keptSecretKey() {
  mkdirSync(dataDirectory(), { recursive: true })
  return readOrWrite(path.join(dataDirectory(), 'secret-key'), `${randomBytes(32).toString('base64url')}\n`).trim()
}
