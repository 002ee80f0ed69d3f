import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The request header in which our server stores the client's address. The server overwrites the header before any other code reads the request. A header is
 * used because routes and pages receive it even though Next.js creates new Request objects.
 */
const addressHeader = 'billhook-client-address'

// `billhookWritesAddress` is set if our server runs. Without our server (as with `next start`), the client sets the header, so it must not be trusted.
const shared = globalThis as typeof globalThis & { billhookWritesAddress?: true }

/**
 * Writes the client's address into the request: the last address in `trustedHeader` (in lower case), or else the
 * address of the connection. The proxy itself appended the last address, so a client cannot forge it.
 */
export function writeClientAddress(message: IncomingMessage, trustedHeader: string | null): void {
  shared.billhookWritesAddress = true
  const listed = trustedHeader === null ? [] : String(message.headers[trustedHeader] ?? '').split(',')
  message.headers[addressHeader] = normalized(listed.at(-1) ?? '') ?? addressOf(message.socket)
}

/** The addresses are cached, because reading the address of a socket costs more than reading all other headers. */
const ofConnections = new WeakMap<Socket, string>()

function addressOf(socket: Socket): string {
  const address = ofConnections.get(socket) ?? normalized(socket.remoteAddress ?? '') ?? ''
  ofConnections.set(socket, address)
  return address
}

/** The client's address in canonical form, never an IPv4-mapped IPv6 address. Empty if unknown. */
export function clientAddress({ headers }: { headers: Pick<Headers, 'get'> }): string {
  return shared.billhookWritesAddress ? (headers.get(addressHeader) ?? '') : ''
}

/** The unit of a rate limit: an IPv4 address, or the /64 network of an IPv6 address. */
export function addressBlock(address: string): string {
  const canonical = normalized(address) ?? ''
  if (!canonical.includes(':')) return canonical
  const prefix = ipaddr.IPv6.parse(canonical).parts.slice(0, 4)
  return `${prefix.map((part) => part.toString(16)).join(':')}::/64`
}

/**
 * Returns an address in canonical form, without the port and the brackets that some proxies add. Returns null for an
 * invalid address.
 */
function normalized(text: string): string | null {
  if (text === '') return null
  const [, bracketed, dotted] = /^\s*(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(text) ?? []
  const bare = bracketed ?? dotted ?? text.trim()
  // Removes the zone of an IPv6 address (fe80::1%eth0), which names a network interface of this host.
  const address = bare.replace(/%.*$/, '')
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return null
  return ipaddr.process(address).toString()
}
