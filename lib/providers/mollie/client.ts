import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import type { AccountSettings } from '../../platform/config-providers.ts'
import { Connection } from '../../platform/outbound/connection.ts'
import { readText } from '../../platform/outbound/read-text.ts'
import { type Service, serviceProblems } from '../../platform/outbound/service-problems.ts'
import { WorkQueue } from '../../platform/work-queue.ts'
import type { Account } from '../account.ts'

/** The outcome of a request is unknown, or Mollie cannot be asked now: the caller asks again later. */
export class MollieAway extends Error {
  override readonly name: string = 'MollieAway'
}

/** The key is valid but lacks a permission: an operator adds the permission at Mollie, and the request is retried. */
class MollieForbids extends MollieAway {
  override readonly name = 'MollieForbids'
}

/** Mollie answers that the same request is still running; of a refund also that it made an equal one within the hour. */
export class MollieBusy extends MollieAway {
  override readonly name = 'MollieBusy'
}

/** Mollie refuses a request for good. The message has no text of Mollie's: that may repeat what a buyer typed. */
export class MollieRefused extends Error {
  override readonly name = 'MollieRefused'

  constructor(
    readonly status: number,
    /** The field of the request that is wrong, or ''. */
    readonly field: string,
    request: string,
  ) {
    super(`Mollie answered ${status} to ${request}${field && `, because of ${field}`}`)
  }
}

interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below `/v2`, with its query. */
  readonly path: string
  readonly body?: object
  /** Made of our ids: Mollie answers a repetition as it answered the first request, for an hour. */
  readonly idempotencyKey?: string
  readonly timeoutMs?: number
  /** Asked with the organization's access token, which reads settlements: an API key of a profile cannot. */
  readonly asOrganization?: true
}

/** Answers that decide a request; others tell nothing about it. */
const refusals = new Set([400, 404, 410, 422])
const timeoutMs = 10_000
/** Mollie answers 409 while the same request is still running. */
const conflictWaitsMs = [250, 500, 1000]
const mostBytes = 2_000_000

/** By account and credential: one account or credential may be refused while another is not. */
const connections = new Map<string, Connection>()
const placeOf = ({ name }: Account, asOrganization = false) => `${name} ${asOrganization}`

function connectionOf(account: Account, { asOrganization }: Pick<Request, 'asOrganization'>): Connection {
  const place = placeOf(account, asOrganization)
  const connection =
    connections.get(place) ?? new Connection(asOrganization ? null : { kind: 'payments', account: account.name })
  connections.set(place, connection)
  return connection
}

/** What a request is about, without ids, as `GET settlements/payments`. */
const purposeOf = ({ method, path }: Pick<Request, 'method' | 'path'>): string => {
  const parts = (path.split('?')[0] ?? '').split('/').filter((part) => !part.includes('_'))
  return `${method} ${parts.join('/')}`
}

/** What the API key may not do. Other requests of the key are answered. Nobody waits for what the access token may not do. */
const forbidden = (account: Account, request: Request): Service | null =>
  request.asOrganization ? null : { kind: 'account', account: account.name, purpose: purposeOf(request) }
/** Waiting work is retried sooner than this. */
const forbiddenHoldsMs = 86_400_000

const queue = new WorkQueue({ atOnce: 16, most: 5_000, mostOfOne: 5_000, retryAfterSeconds: 5 })

/** `ok`, or what is wrong with an account, as this process has seen it. */
export const connectionState = ({ name }: Account): string => serviceProblems().seenOf(name)

export const resetConnection = (): void => connections.clear()

export interface Opened {
  readonly name: string
  readonly ask: Ask
}

export type Ask = <Answer>(shape: z.ZodType<Answer>, request: Request) => Promise<Answer>

/**
 * How Mollie is asked as an account. Throws `MollieRefused` if it refuses for good, and `MollieAway` if it does not answer in ten seconds,
 * answers that it cannot now or that the key may not do this, or answers in another shape.
 */
export const askerOf =
  (account: Account): Ask =>
  (shape, request) =>
    queue.run(account.name, async () => {
      const settings = await account.settings()
      const connection = connectionOf(account, request)
      const paused = connection.pause(new Date())
      if (paused > 0) throw new MollieAway(`Mollie is not asked for another ${paused} ms`)
      const response = await answerTo(request, settings, connection)
      const what = `${request.method} ${request.path.split('?')[0]}`
      const service = forbidden(account, request)
      if (response.status === 403) {
        if (service) serviceProblems().report(service, `forbids ${purposeOf(request)}`, forbiddenHoldsMs)
        const credential = request.asOrganization ? 'access token' : 'API key'
        throw new MollieForbids(`Mollie forbids ${purposeOf(request)}: the ${credential} lacks the permission`)
      }
      if (service) serviceProblems().resolve(service)
      if (!response.ok) throw new MollieRefused(response.status, fieldOf(response.text), what)
      const read = shape.safeParse(parsed(response.text))
      if (!read.success) throw new MollieAway(`Mollie answered ${what} in another shape: ${placesOf(read.error)}`)
      return read.data
    })

interface Response {
  readonly ok: boolean
  readonly status: number
  readonly text: string
  readonly retryAfter: string | null
}

async function answerTo(request: Request, settings: AccountSettings, connection: Connection): Promise<Response> {
  for (const waitMs of [...conflictWaitsMs, null]) {
    const response = await send(request, settings).catch((error) => {
      connection.failed(new Date(), 'does not answer')
      throw new MollieAway(`Mollie does not answer: ${error instanceof Error ? error.name : 'unknown'}`)
    })
    const { ok, status } = response
    if (status === 409 && waitMs !== null) {
      await wait(waitMs)
      continue
    }
    if (status === 409) {
      connection.answered()
      throw new MollieBusy('Mollie is still at the same request')
    }
    if (ok || status === 403 || refusals.has(status)) {
      connection.answered()
      return response
    }
    connection.failed(
      new Date(),
      status === 401 ? `refuses the ${request.asOrganization ? 'access token' : 'API key'}` : `answers ${status}`,
      retryAfterMs(response),
    )
    throw new MollieAway(`Mollie answered ${status}`)
  }
  throw new Error('a request is sent once at least')
}

async function send(request: Request, { apiKey, accessToken, base }: AccountSettings): Promise<Response> {
  const { method, path, body, idempotencyKey, timeoutMs: limit = timeoutMs, asOrganization } = request
  const key = asOrganization ? accessToken : apiKey
  if (!key) throw new Error('the account has no access token')
  const response = await fetch(`${base.replace(/\/v2$/, '')}/v2/${path}`, {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': uuidOf(idempotencyKey) }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // The key must not go where a redirect leads.
    redirect: 'error',
    signal: AbortSignal.timeout(limit),
  })
  const { ok, status, headers } = response
  return { ok, status, text: await readText(response, mostBytes), retryAfter: headers.get('retry-after') }
}

const retryAfterMs = ({ status, retryAfter }: Response): number | null => {
  if (status !== 429) return null
  const seconds = Number(retryAfter ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 1000
}

/** Mollie requires a version 4 UUID. The same key always gives the same UUID. */
export function uuidOf(key: string): string {
  const bytes = createHash('sha256').update(key).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function fieldOf(text: string): string {
  const field = (parsed(text) as { field?: unknown } | null)?.field
  return typeof field === 'string' && /^[A-Za-z0-9_.[\]]{1,60}$/.test(field) ? field : ''
}

function parsed(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return null // another shape
  }
}

const placesOf = (error: z.ZodError): string => error.issues.map(({ path }) => path.join('.') || 'body').join(', ')
