import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/**
 * Where a request comes from. The server writes the address into a header of its own before anything reads the request, whatever the
 * client sent under that name. A header reaches routes and pages alike: Next makes Request objects of its own.
 */
const addressHeader = 'billhook-client-address'

// Without our server in front (`next start`), nothing overwrites the header: it would be the client's own word.
const shared = globalThis as typeof globalThis & { billhookWritesAddress?: true }

/**
 * Writes the client's address into the request. It is the connection's; with `trustedHeader` (in small letters) the last address of that
 * header, which is the one that the proxy in front has seen itself, where there is one.
 */
export function writeClientAddress(message: IncomingMessage, trustedHeader: string | null): void {
  shared.billhookWritesAddress = true
  const listed = trustedHeader === null ? [] : String(message.headers[trustedHeader] ?? '').split(',')
  const address = normalized(listed.at(-1) ?? '') ?? normalized(message.socket.remoteAddress ?? '')
  message.headers[addressHeader] = address ?? ''
}

/**
 * The client's address in its canonical form, an IPv4 one never as mapped to IPv6; empty when it is not known. Takes a Request, or
 * anything with its headers, such as `{ headers: await headers() }` on a page.
 */
export function clientAddress({ headers }: { headers: Pick<Headers, 'get'> }): string {
  return shared.billhookWritesAddress ? (headers.get(addressHeader) ?? '') : ''
}

/** What a limit per address counts: an IPv4 address, also one mapped to IPv6, or the /64 of an IPv6 one, all of which is one customer's. */
export function addressBlock(address: string): string {
  const canonical = normalized(address) ?? ''
  if (!canonical.includes(':')) return canonical
  const prefix = ipaddr.IPv6.parse(canonical).parts.slice(0, 4)
  return `${prefix.map((part) => part.toString(16)).join(':')}::/64`
}

/** Some proxies add the port, and brackets around an IPv6 address. Null when it is no address. */
function normalized(text: string): string | null {
  const [, bracketed, dotted] = /^\s*(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(text) ?? []
  const bare = bracketed ?? dotted ?? text.trim()
  // A zone (fe80::1%eth0) names our interface, not the client.
  const address = bare.replace(/%.*$/, '')
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return null
  return ipaddr.process(address).toString()
}
