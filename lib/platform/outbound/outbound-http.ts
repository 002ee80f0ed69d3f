import { Resolver } from 'node:dns/promises'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { parseHttpUrl } from '../../kernel/url.ts'
import {
  isAllowedHost,
  isLoopback,
  isPublicAddress,
  notPublic,
  type OutboundRules,
  outboundRules,
  publicUrlProblem,
} from './public-address.ts'

export const answerKeptBytes = 2048

export interface Reply {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | null
}

/** Why there was no response, in words that may be shown to the merchant. */
export class DeliveryError extends Error {}

// Queries name servers over the network. The system's own look-up uses one of four threads of the process, so a few
// names whose servers never respond would block all look-ups.
const resolver = new Resolver({ timeout: 2_000, tries: 2 })

/** Checks every address of the name and connects to a checked address, so that the name cannot change in between. */
const publicOnly: LookupFunction = (hostname, options, callback) => {
  publicAddresses(hostname).then(
    (addresses) => {
      const [first] = addresses
      if (options.all) callback(null, addresses)
      else callback(null, first?.address ?? '', first?.family)
    },
    (error) => callback(error, []),
  )
}

async function publicAddresses(hostname: string): Promise<{ address: string; family: number }[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = [
    ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
    ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
  ]
  if (addresses.length === 0) throw new DeliveryError('The host name does not resolve.')
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new DeliveryError(notPublic)
  return addresses
}

// No limit on connections to one host: endpoints of many merchants may share it. An unused connection is kept for a few
// seconds: a merchant with many hosts would otherwise hold a socket for each. Node tries the next address after 250 ms
// by default, so distant receivers would be unreachable from a server without IPv6. A lost first packet is sent again
// after a second, and three such addresses leave time for a fourth.
const connections = { keepAlive: true, timeout: 4_000, autoSelectFamilyAttemptTimeout: 2_500 }
const agentsOf = (options: http.AgentOptions) => ({
  'http:': new http.Agent({ ...connections, ...options }),
  'https:': new https.Agent({ ...connections, ...options }),
})
const guarded = agentsOf({ lookup: publicOnly })
const unguarded = agentsOf({})

/** The addresses of `localhost`, whatever the name server or the file of hosts says. */
const loopbackAddresses = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
const loopbackOnly: LookupFunction = (_, { all }, callback) => {
  if (all) callback(null, loopbackAddresses)
  else callback(null, '127.0.0.1', 4)
}
const onThisMachine = agentsOf({ lookup: loopbackOnly })

function agentsFor(url: URL, { allowedHosts, allowsLoopback }: OutboundRules) {
  if (isAllowedHost(url, allowedHosts)) return unguarded
  return allowsLoopback && isLoopback(url) ? onThisMachine : guarded
}

/** How many interim responses (1xx) a receiver may send before its response. */
const mostInterim = 20

interface Post {
  readonly body: string
  readonly headers: Record<string, string>
  readonly timeoutMs: number
  readonly testmode: boolean
}

/**
 * Sends a POST to an address that a merchant gave: public hosts only, certificates verified, redirects not followed,
 * one timeout for everything. Hosts of WEBHOOK_ALLOWED_HOSTS are allowed without these checks, and with WEBHOOK_LOOPBACK test
 * mode reaches this machine. Throws DeliveryError.
 */
export async function postToPublicAddress(
  target: string,
  { body, headers, timeoutMs, testmode }: Post,
): Promise<Reply> {
  const url = parseHttpUrl(target)
  if (!url) throw new DeliveryError('Must be an absolute https URL.')
  const rules = outboundRules(testmode)
  const problem = publicUrlProblem(url, rules)
  if (problem) throw new DeliveryError(problem)
  const agents = agentsFor(url, rules)
  const sent = { method: 'POST', headers, maxHeaderSize: 16_384, signal: AbortSignal.timeout(timeoutMs) }
  try {
    const response = await responseTo(
      url,
      { ...sent, agent: url.protocol === 'https:' ? agents['https:'] : agents['http:'] },
      body,
    )
    return {
      status: response.statusCode ?? 0,
      text: await firstBytes(response),
      retryAfter: response.headers['retry-after'] ?? null,
    }
  } catch (error) {
    if (sent.signal.aborted) throw new DeliveryError(`No answer within ${timeoutMs / 1000} seconds.`)
    throw error instanceof DeliveryError ? error : new DeliveryError(reasonOf(error))
  }
}

/** If the receiver has just closed a kept connection, the request is sent once more, on another connection. */
async function responseTo(url: URL, options: https.RequestOptions, body: string): Promise<IncomingMessage> {
  const first = send(url, options, body)
  try {
    return await first.response
  } catch (error) {
    const { code } = error as { code?: string }
    if (!first.request.reusedSocket || (code !== 'ECONNRESET' && code !== 'EPIPE')) throw error
    return send(url, options, body).response
  }
}

function send(url: URL, options: https.RequestOptions, body: string) {
  const request: ClientRequest = (url.protocol === 'https:' ? https : http).request(url, options)
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    let interim = 0
    // Some servers send an unrequested 100, or early hints.
    const pass = () => {
      interim += 1
      if (interim > mostInterim) request.destroy(new DeliveryError(`More than ${mostInterim} interim responses (1xx).`))
    }
    request.on('continue', pass).on('information', pass).on('response', resolve).on('error', reject)
    // After a switch of protocols (101) Node closes the connection without an error.
    request.on('close', () => reject(Object.assign(new Error('closed without a response'), { code: 'ECONNRESET' })))
  })
  request.end(body)
  return { request, response }
}

/** Reads only the bytes that are kept, and cuts off the rest of an endless response. */
async function firstBytes(body: AsyncIterable<Uint8Array> & { destroy(): unknown }): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length >= answerKeptBytes) break
  }
  return Buffer.concat(chunks).subarray(0, answerKeptBytes).toString('utf8').replaceAll('\u0000', '').toWellFormed()
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.'
  const { code } = error as Error & { code?: string }
  return (
    reasons[code ?? ''] ??
    (/CERT|TLS|SSL|ALTNAME|SIGNED/.test(code ?? '') ? 'The certificate is not valid.' : 'The connection failed.')
  )
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name does not resolve.',
  EAI_AGAIN: 'The host name does not resolve.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was cut.',
  EPIPE: 'The connection was cut.',
  ETIMEDOUT: 'The connection timed out.',
}
