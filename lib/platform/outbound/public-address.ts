import ipaddr from 'ipaddr.js'
import { type RuleProblem, ruleProblem } from '../../kernel/rule-problem.ts'
import { config } from '../config.ts'

/**
 * Whether an address is public unicast according to the IANA special-purpose registry. IPv6 addresses that map or embed
 * an IPv4 address are not public.
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
  /** Each entry is `host:port`, or `host`, which allows any port of the host. */
  readonly allowedHosts: readonly string[]
  readonly allowsLoopback: boolean
}

/** Live mode never sends requests to the local machine. */
export const outboundRules = (testmode: boolean): OutboundRules => ({
  allowedHosts: config().webhookAllowedHosts,
  allowsLoopback: testmode && config().webhookLoopback,
})

/** The reason why an endpoint may not have this URL, or null. Sends no DNS query. */
export function publicUrlProblem(url: URL, { allowedHosts, allowsLoopback }: OutboundRules): RuleProblem | null {
  if (isAllowedHost(url, allowedHosts)) return null
  if (allowsLoopback && isLoopback(url)) return isAllowedPort(url.port) ? null : portRule
  if (url.protocol !== 'https:') return ruleProblem('https_url')
  if (!isAllowedPort(url.port)) return portRule
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? null : notPublic
  const name = host.replace(/\.$/, '').toLowerCase()
  const isPrivateName =
    !name.includes('.') || /(^|\.)(localhost|local|internal|home\.arpa|test|invalid|onion)$/.test(name)
  return isPrivateName ? notPublic : null
}

/** Requires http, one of three host names, and a port. Other names that resolve to a loopback address do not count. */
export const isLoopback = ({ protocol, hostname, port }: URL): boolean =>
  protocol === 'http:' && port !== '' && loopbackHosts.includes(hostname)

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

const isAllowedPort = (port: string): boolean =>
  port === '' || (Number(port) >= 1024 && !blockedPorts.has(Number(port)))

/**
 * The ports of 1024 and above that the Fetch standard blocks (https://fetch.spec.whatwg.org/#port-blocking), because
 * services on these ports can interpret lines of a request as commands.
 */
const blockedPorts: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

const portRule = ruleProblem('url_port', { blocked: [...blockedPorts].join(', ') })

export const isAllowedHost = (url: URL, allowedHosts: readonly string[]): boolean =>
  allowedHosts.includes(url.host.toLowerCase()) || allowedHosts.includes(url.hostname.toLowerCase())

export const notPublic = ruleProblem('url_public')
