// @ts-check
// Where this installation lives, and what its processes agree on before any of them reads the configuration.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOrWrite } from './atomic-file.mjs'

/** The project's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/**
 * Where the embedded database and the other things that must outlive a process are kept: `.data/`, or BILLHOOK_DATA (a
 * second installation on one clone, such as the browser tests', has a folder of its own).
 */
export const dataDirectory = () => path.resolve(root, process.env.BILLHOOK_DATA || '.data')
export const postgresDirectory = () => path.join(dataDirectory(), 'postgres')
export const runningFile = () => path.join(dataDirectory(), 'running.json')

/**
 * Decides what has to be decided before NODE_ENV is set for Next, which needs `production` to serve any build: the
 * caller's NODE_ENV=production means production; everything else is development. In development the secret key is made
 * once and kept. A `.env` file counts here already, because Next would read it later.
 */
export function settleEnvironment() {
  loadDotenv()
  process.env.BILLHOOK_ENV ||= process.env.NODE_ENV === 'production' ? 'production' : 'development'
  if (process.env.BILLHOOK_ENV === 'development') process.env.SECRET_KEY ||= keptSecretKey()
}

/** What the environment says goes before what the file says. */
export function loadDotenv() {
  const dotenv = path.join(root, '.env')
  if (existsSync(dotenv)) process.loadEnvFile(dotenv)
}

function keptSecretKey() {
  mkdirSync(dataDirectory(), { recursive: true })
  return readOrWrite(path.join(dataDirectory(), 'secret-key'), `${randomBytes(32).toString('base64url')}\n`).trim()
}
