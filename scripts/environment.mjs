// @ts-check
// The folder of this installation, and settings that its processes need before they read the configuration.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOrWrite } from './atomic-file.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/** `.data/`, or BILLHOOK_DATA: a second installation in one clone, such as that of the browser tests, has its own. */
export const dataDirectory = () => path.resolve(root, process.env.BILLHOOK_DATA || '.data')
export const postgresDirectory = () => path.join(dataDirectory(), 'postgres')
export const runningFile = () => path.join(dataDirectory(), 'running.json')

/**
 * Makes the decisions that must precede NODE_ENV, which Next.js needs as `production` to serve any build. The caller's
 * NODE_ENV=production means production; everything else is development. Development creates the secret key once and
 * keeps it. A `.env` file already counts here, because Next.js would read it later.
 */
export function settleEnvironment() {
  loadDotenv()
  process.env.BILLHOOK_ENV ||= process.env.NODE_ENV === 'production' ? 'production' : 'development'
  if (process.env.BILLHOOK_ENV === 'development') process.env.SECRET_KEY ||= keptSecretKey()
}

/** Environment variables take precedence over the file. */
export function loadDotenv() {
  const dotenv = path.join(root, '.env')
  if (existsSync(dotenv)) process.loadEnvFile(dotenv)
}

function keptSecretKey() {
  mkdirSync(dataDirectory(), { recursive: true })
  return readOrWrite(path.join(dataDirectory(), 'secret-key'), `${randomBytes(32).toString('base64url')}\n`).trim()
}
