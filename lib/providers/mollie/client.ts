import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { ProviderUnavailable } from '../../modules/payments/provider-unavailable.ts'
import type { AccountSettings } from '../../platform/config-providers.ts'
import { Connection } from '../../platform/outbound/connection.ts'
import { readText } from '../../platform/outbound/read-text.ts'
import { reasonOf } from '../../platform/outbound/service-failure.ts'
import { type Service, serviceProblems } from '../../platform/outbound/service-problems.ts'
import { WorkQueue } from '../../platform/work-queue.ts'
import type { Account } from '../account.ts'

/** The outcome is unknown, or Mollie cannot be reached. The caller retries later. */
export class MollieAway extends ProviderUnavailable {
  override readonly name: string = 'MollieAway'
}

/** The API key lacks a permission, which an operator must add at Mollie. The request is retried. */
class MollieForbids extends MollieAway {
  override readonly name = 'MollieForbids'
  override readonly isTemporary = false
}

/** Mollie is still processing the same request, or made an equal refund within the last hour. */
export class MollieBusy extends MollieAway {
  override readonly name = 'MollieBusy'
}

/** Mollie refused permanently. The message contains no text from Mollie, which could repeat the buyer's input. */
export class MollieRefused extends Error {
  override readonly name = 'MollieRefused'

  constructor(
    readonly status: number,
    readonly field: string,
    request: string,
  ) {
    super(`Mollie answered ${status} to ${request}${field && `, because of ${field}`}`)
  }
}

interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path relative to `/v2`, with the query string. */
  readonly path: string
  readonly body?: object
  /**
   * Mollie stores the response to a request for an hour. A repeated request with the same key gets the stored response.
   */
  readonly idempotencyKey?: string
  readonly timeoutMs?: number
  /** If true, uses the access token of the organization, because the API key of a profile cannot read settlements. */
  readonly asOrganization?: true
}

/** Statuses of permanent refusals. After any other error status, the outcome is unknown. */
const refusals = new Set([400, 404, 410, 422])
const timeoutMs = 10_000
/** Milliseconds before each retry after a 409 response, which means that Mollie is still processing the same request. */
const conflictWaitsMs = [250, 500, 1000]
const mostBytes = 2_000_000

/** Each account has one connection per credential, because Mollie can refuse one credential while it accepts another credential. */
const connections = new Map<string, Connection>()
const placeOf = ({ name }: Account, asOrganization = false) => `${name} ${asOrganization}`

function connectionOf(account: Account, { asOrganization }: Pick<Request, 'asOrganization'>): Connection {
  const place = placeOf(account, asOrganization)
  const connection =
    connections.get(place) ?? new Connection(asOrganization ? null : { kind: 'payments', account: account.name })
  connections.set(place, connection)
  return connection
}

const purposeOf = ({ method, path }: Pick<Request, 'method' | 'path'>): string => {
  const parts = (path.split('?')[0] ?? '').split('/').filter((part) => !part.includes('_'))
  return `${method} ${parts.join('/')}`
}

/**
 * The service whose problem is reported if the API key lacks a permission. Null for a request with the access token,
 * because payments never use the access token.
 */
const forbidden = (account: Account, request: Request): Service | null =>
  request.asOrganization ? null : { kind: 'account', account: account.name, purpose: purposeOf(request) }
/**
 * Milliseconds for which a missing permission is reported. This time is longer than the retry interval of the refused
 * requests, so the problem does not expire between two retries.
 */
const forbiddenHoldsMs = 86_400_000

const queue = new WorkQueue({ atOnce: 16, most: 5_000, mostOfOne: 5_000, retryAfterSeconds: 5 })

/** The problem of the account as seen by this process, or `ok`. */
export const connectionState = ({ name }: Account): string => serviceProblems().seenOf(name)

export const resetConnection = (): void => connections.clear()

export interface Opened {
  readonly name: string
  readonly ask: Ask
}

export type Ask = <Answer>(shape: z.ZodType<Answer>, request: Request) => Promise<Answer>

/**
 * Returns a function that sends requests to Mollie. It throws `MollieRefused` after a permanent refusal, or
 * `MollieAway` if the outcome is unknown, for example after `timeoutMs` without a response.
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
      throw new MollieAway(`Mollie does not answer (${reasonOf(error)})`)
    })
    const { ok, status } = response
    if (status === 409 && waitMs !== null) {
      await wait(waitMs)
      continue
    }
    if (status === 409) {
      connection.answered()
      throw new MollieBusy('Mollie is still processing the same request')
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
  throw new Error('unreachable: a request is sent at least once')
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

/**
 * Returns a version 4 UUID, which Mollie requires. The result depends only on `key`, so a retry sends the same UUID.
 */
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
    return null
  }
}

const placesOf = (error: z.ZodError): string => error.issues.map(({ path }) => path.join('.') || 'body').join(', ')
