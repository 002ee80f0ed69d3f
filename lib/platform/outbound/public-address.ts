import ipaddr from 'ipaddr.js'
import { config } from '../config.ts'

/**
 * Whether an address is public unicast, by allow-list: for IPv6 2000::/3 without the blocks that are not the public
 * Internet (IANA special-purpose registry). Every address that maps or embeds an IPv4 address is refused.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast' && !isReservedIpv4(parsed as ipaddr.IPv4)
  const v6 = parsed as ipaddr.IPv6
  const within = (cidr: string) => v6.match(ipaddr.IPv6.parseCIDR(cidr))
  return within('2000::/3') && !['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].some(within)
}

const isReservedIpv4 = (address: ipaddr.IPv4): boolean =>
  ['192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15'].some((cidr) => address.match(ipaddr.IPv4.parseCIDR(cidr)))

export interface OutboundRules {
  /** `host:port`, or `host` with any port. */
  readonly allowedHosts: readonly string[]
  /** Whether a program on this machine may be called: see `isLoopback`. */
  readonly allowsLoopback: boolean
}

/** The rules for the URLs of a mode. Live mode never calls a program on this machine. */
export const outboundRules = (testmode: boolean): OutboundRules => ({
  allowedHosts: config().webhookAllowedHosts,
  allowsLoopback: testmode && config().webhookLoopback,
})

/** The problem of a URL that a merchant gave, checked without a network request; null if there is no problem. */
export function publicUrlProblem(url: URL, { allowedHosts, allowsLoopback }: OutboundRules): string | null {
  if (isAllowedHost(url, allowedHosts)) return null
  if (allowsLoopback && isLoopback(url)) return isAllowedPort(url.port) ? null : portRule
  if (url.protocol !== 'https:') return 'Must be an https URL.'
  if (!isAllowedPort(url.port)) return portRule
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? null : notPublic
  const name = host.replace(/\.$/, '').toLowerCase()
  const isPrivateName =
    !name.includes('.') || /(^|\.)(localhost|local|internal|home\.arpa|test|invalid|onion)$/.test(name)
  return isPrivateName ? notPublic : null
}

/** Http, one of three exact hosts, and a port. A name that resolves to a loopback address does not count. */
export const isLoopback = ({ protocol, hostname, port }: URL): boolean =>
  protocol === 'http:' && port !== '' && loopbackHosts.includes(hostname)

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** For an https URL, an empty port means 443. */
const isAllowedPort = (port: string): boolean =>
  port === '' || (Number(port) >= 1024 && !blockedPorts.has(Number(port)))

/**
 * Ports from 1024 that browsers block ("bad ports", https://fetch.spec.whatwg.org/#port-blocking): services on these
 * ports would read lines of a request as commands. Of the ports below 1024 only 443 is allowed.
 */
const blockedPorts: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

const portRule = `Must use port 443, or a port from 1024 to 65535 that browsers do not block: they block ${[...blockedPorts].join(', ')}.`

export const isAllowedHost = (url: URL, allowedHosts: readonly string[]): boolean =>
  allowedHosts.includes(url.host.toLowerCase()) || allowedHosts.includes(url.hostname.toLowerCase())

export const notPublic = 'Must be a public host: private, loopback, link-local and reserved addresses are not allowed.'
