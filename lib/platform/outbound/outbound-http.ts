import { Resolver } from 'node:dns/promises'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { type RuleProblem, ruleProblem } from '../../kernel/rule-problem.ts'
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

/** Merchants see the message, which says why there was no response. */
export class DeliveryError extends Error {
  constructor(readonly problem: RuleProblem) {
    super(String(problem))
  }
}

// This resolver sends DNS queries itself. With the operating system's look-up, a few host names with unresponsive name
// servers would occupy all four threads of the process and block other look-ups.
const resolver = new Resolver({ timeout: 2_000, tries: 2 })

/** Connects to a checked address, so that the host name cannot resolve to a different address afterwards. */
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
  if (addresses.length === 0) throw new DeliveryError(ruleProblem('host_unresolved'))
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new DeliveryError(notPublic)
  return addresses
}

// Each host has an unlimited number of connections, because endpoints of many merchants may share a host. Unused
// connections close after four seconds, so that a merchant with many hosts does not occupy sockets. By default, Node.js
// tries the next address of a host after 250 ms, which is too short for distant receivers. Within 2.5 s, TCP can repeat
// a lost first packet, and four addresses can be tried before the timeout.
const connections = { keepAlive: true, timeout: 4_000, autoSelectFamilyAttemptTimeout: 2_500 }
const agentsOf = (options: http.AgentOptions) => ({
  'http:': new http.Agent({ ...connections, ...options }),
  'https:': new https.Agent({ ...connections, ...options }),
})
const guarded = agentsOf({ lookup: publicOnly })
const unguarded = agentsOf({})

/** The addresses of the local machine are constants, because a look-up could return an address that DNS or the hosts file has changed. */
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

const mostInterim = 20

interface Post {
  readonly body: string
  readonly headers: Record<string, string>
  readonly timeoutMs: number
  readonly testmode: boolean
}

/**
 * Sends a POST to a merchant's URL. The host must be public, unless it is in WEBHOOK_ALLOWED_HOSTS, or is the local machine in test mode with WEBHOOK_LOOPBACK.
 * Requires a valid certificate and follows no redirect. `timeoutMs` limits the whole call. Throws DeliveryError.
 */
export async function postToPublicAddress(
  target: string,
  { body, headers, timeoutMs, testmode }: Post,
): Promise<Reply> {
  const url = parseHttpUrl(target)
  if (!url) throw new DeliveryError(ruleProblem('absolute_https_url'))
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
    if (sent.signal.aborted) throw new DeliveryError(ruleProblem('no_response', { seconds: timeoutMs / 1000 }))
    throw error instanceof DeliveryError ? error : new DeliveryError(ruleProblemOf(error))
  }
}

/**
 * Sends the request and returns the response. If the receiver has just closed an idle connection, sends the request
 * again on another connection.
 */
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
    // Aborts the request after more than `mostInterim` interim responses (100 Continue, 103 Early Hints), which some
    // servers send without a request for them.
    const pass = () => {
      interim += 1
      if (interim > mostInterim)
        request.destroy(new DeliveryError(ruleProblem('interim_responses', { most: mostInterim })))
    }
    request.on('continue', pass).on('information', pass).on('response', resolve).on('error', reject)
    // Rejects when the connection closes, because after 101 Switching Protocols Node.js closes the connection without
    // an error.
    request.on('close', () => reject(Object.assign(new Error('closed without a response'), { code: 'ECONNRESET' })))
  })
  request.end(body)
  return { request, response }
}

/** Reads only the bytes that are stored (`answerKeptBytes`). The connection of a longer response is closed. */
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

function ruleProblemOf(error: unknown): RuleProblem {
  if (!(error instanceof Error)) return ruleProblem('request_failed')
  const { code } = error as Error & { code?: string }
  return (
    reasons[code ?? ''] ??
    ruleProblem(/CERT|TLS|SSL|ALTNAME|SIGNED/.test(code ?? '') ? 'certificate_invalid' : 'connection_failed')
  )
}

const reasons: Readonly<Record<string, RuleProblem>> = {
  ENOTFOUND: ruleProblem('host_unresolved'),
  EAI_AGAIN: ruleProblem('host_unresolved'),
  ECONNREFUSED: ruleProblem('connection_refused'),
  ECONNRESET: ruleProblem('connection_interrupted'),
  EPIPE: ruleProblem('connection_interrupted'),
  ETIMEDOUT: ruleProblem('connection_timed_out'),
}
