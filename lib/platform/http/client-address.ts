import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Carries the client's address. The server sets this header before any code reads the request, and overwrites a value
 * sent by the client. A header reaches both routes and pages, because Next.js creates its own Request objects.
 */
const addressHeader = 'billhook-client-address'

// Without our server in front (`next start`), nothing overwrites the header, and the client could set it.
const shared = globalThis as typeof globalThis & { billhookWritesAddress?: true }

/**
 * Writes the client's address into the request: the address of the connection, or with `trustedHeader` (in lower case)
 * the last address in that header, if there is one. The last address is the one that the proxy itself has seen.
 */
export function writeClientAddress(message: IncomingMessage, trustedHeader: string | null): void {
  shared.billhookWritesAddress = true
  const listed = trustedHeader === null ? [] : String(message.headers[trustedHeader] ?? '').split(',')
  message.headers[addressHeader] = normalized(listed.at(-1) ?? '') ?? addressOf(message.socket)
}

/** The addresses of open connections, cached because reading one costs more than all other headers of a request. */
const ofConnections = new WeakMap<Socket, string>()

function addressOf(socket: Socket): string {
  const address = ofConnections.get(socket) ?? normalized(socket.remoteAddress ?? '') ?? ''
  ofConnections.set(socket, address)
  return address
}

/** In canonical form, with IPv4 never mapped to IPv6. Empty if unknown. On a page: `{ headers: await headers() }`. */
export function clientAddress({ headers }: { headers: Pick<Headers, 'get'> }): string {
  return shared.billhookWritesAddress ? (headers.get(addressHeader) ?? '') : ''
}

/** An IPv4 address (also one mapped to IPv6), or the /64 network of an IPv6 address, which belongs to one customer. */
export function addressBlock(address: string): string {
  const canonical = normalized(address) ?? ''
  if (!canonical.includes(':')) return canonical
  const prefix = ipaddr.IPv6.parse(canonical).parts.slice(0, 4)
  return `${prefix.map((part) => part.toString(16)).join(':')}::/64`
}

/** Some proxies add the port, and brackets around an IPv6 address. Null if the text is no address. */
function normalized(text: string): string | null {
  if (text === '') return null
  const [, bracketed, dotted] = /^\s*(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(text) ?? []
  const bare = bracketed ?? dotted ?? text.trim()
  // A zone (fe80::1%eth0) names an interface of this host, not the client.
  const address = bare.replace(/%.*$/, '')
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return null
  return ipaddr.process(address).toString()
}
