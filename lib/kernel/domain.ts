import { toASCII } from 'tr46'

/**
 * Well above the length of any name with an ASCII form of 253 octets; the ASCII form of a long name is slow to compute.
 */
const longestInput = 1024

/**
 * The ASCII form of a domain name, in lower case, or null if the name is invalid: the one place that decides about
 * hosts, in email addresses and in URLs. The tables come from a bundled library (UTS #46, non-transitional: `faß.de` is
 * not `fass.de`), since URL parsers of Node.js differ: version 24 accepts malformed `xn--` labels and maps `ẞ` to
 * another letter than version 20.
 *
 * Null if a label is empty, malformed or over 63 octets, if the whole is over 253 octets, or if anything but letters,
 * digits, hyphens and underscores is left. Takes the name as typed: `toLowerCase` would give `ΒΌΛΟΣ.com` a final sigma,
 * another domain.
 */
export function asciiDomain(name: string): string | null {
  if (name.length > longestInput) return null
  const ascii = toASCII(name, {
    transitionalProcessing: false,
    checkBidi: true,
    checkJoiners: true,
    // Off: it also rejects hyphens in the third and fourth place, which registered names have.
    checkHyphens: false,
    // Off: it rejects underscores, which host names in URLs have.
    useSTD3ASCIIRules: false,
    verifyDNSLength: true,
  })
  return ascii !== null && /^[a-z\d._-]+$/.test(ascii) ? ascii : null
}
