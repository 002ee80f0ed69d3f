import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Billhook, createBillhook } from '@billhook/sdk'
import { CommandFailure, exitCodes, wrongUsage } from './failure.ts'
import type { Terminal } from './terminal.ts'

export interface Stored {
  readonly url?: string
  readonly key?: string
  readonly secret?: string
  readonly forwardTo?: string
}

export interface Login {
  readonly url: string
  readonly key: string
  readonly testmode: boolean
  readonly source: 'login' | 'environment'
  readonly billhook: Billhook
}

type Environment = Terminal['env']

export function configFile(env: Environment, platform = process.platform): string {
  const home = env.HOME || os.homedir()
  const xdg = env.XDG_CONFIG_HOME && path.isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : null
  const windows = platform === 'win32' ? env.APPDATA : undefined
  return path.join(xdg ?? windows ?? path.join(home, '.config'), 'billhook', 'config.json')
}

export function readStored(env: Environment): Stored {
  const file = configFile(env)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return {}
    throw unreadable(file, error)
  }
  try {
    const stored: unknown = JSON.parse(text)
    if (typeof stored !== 'object' || stored === null) throw new Error('The content is not an object.')
    return stored
  } catch (error) {
    throw unreadable(file, error)
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const unreadable = (file: string, error: unknown) =>
  new CommandFailure(`The file ${file} cannot be read.`, {
    code: 'unreadable_login',
    exitCode: exitCodes.key,
    why: error instanceof Error ? error.message : undefined,
    next: 'Delete the file, and log in again: billhook login',
  })

/** The file is never readable by other users, even during the write. */
export function writeStored(env: Environment, stored: Stored): void {
  const file = configFile(env)
  const folder = path.dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

export function forget(env: Environment): boolean {
  try {
    rmSync(configFile(env))
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Environment variables override the stored login. A stored key is sent only to its own service. */
export function requireLogin(terminal: Pick<Terminal, 'env'>): Login {
  const { BILLHOOK_URL, BILLHOOK_KEY } = terminal.env
  const stored: Stored = BILLHOOK_URL && BILLHOOK_KEY ? {} : readStored(terminal.env)
  const url = BILLHOOK_URL ? checkedUrl(BILLHOOK_URL) : BILLHOOK_KEY ? undefined : stored.url
  const key = BILLHOOK_KEY || (url === stored.url ? stored.key : undefined)
  const missing = key ? 'BILLHOOK_URL' : BILLHOOK_URL ? 'BILLHOOK_KEY' : null
  if (!key || !url)
    throw new CommandFailure(missing ? `The variable ${missing} is missing.` : 'You are not logged in.', {
      code: 'not_logged_in',
      exitCode: exitCodes.key,
      next: 'Run `billhook login`, or set BILLHOOK_URL and BILLHOOK_KEY.',
    })
  return loginOf(checkedUrl(url), key, BILLHOOK_KEY ? 'environment' : 'login')
}

export function requireTestLogin(terminal: Pick<Terminal, 'env'>): Login {
  const login = requireLogin(terminal)
  if (login.testmode) return login
  throw new CommandFailure('This command works in test mode only, and the API key is a live mode key.', {
    code: 'test_mode_only',
    exitCode: exitCodes.key,
    next: 'Log in with a key that begins with test_: billhook login',
  })
}

/** Long commands use more retries, so that they survive a restart of the service. */
export const patient = (login: Login): Login => loginOf(login.url, login.key, login.source, 8)

export const loginOf = (url: string, key: string, source: Login['source'], maxRetries = 2): Login => ({
  url,
  key,
  source,
  testmode: key.startsWith('test_'),
  billhook: createBillhook({ baseUrl: url, apiKey: key, maxRetries }),
})

/** Returns the origin and path without a trailing slash. */
export function checkedUrl(typed: string): string {
  const isBare = !/^[a-z][a-z\d+.-]*:\/\//i.test(typed)
  const text = isBare ? `${isLoopback(typed) ? 'http' : 'https'}://${typed}` : typed
  const url = parsedUrl(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw wrongUsage(`"${typed}" is not the address of a service.`, 'Use an address such as http://localhost:3000')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

export const isLoopback = (hostAndRest: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?=[:/]|$)/i.test(hostAndRest)

export const masked = (key: string): string => `${key.slice(0, 5)}…${key.slice(-4)}`

/** The secret that signs forwarded events. The secret is generated one time and stored, so that a receiver keeps its configuration. */
export function signingSecret(env: Environment): string {
  if (env.WEBHOOK_SECRET) return env.WEBHOOK_SECRET
  const stored = readStored(env)
  if (stored.secret) return stored.secret
  const secret = `whsec_${randomBytes(24).toString('base64url')}`
  writeStored(env, { ...stored, secret })
  return secret
}
