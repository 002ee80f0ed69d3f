import { toASCII, toUnicode } from 'tr46'

/** Above any name with an ASCII form of 253 octets: the ASCII form of a long name is slow to compute. */
const longestInput = 1024

const longestName = 253
/** A name in ASCII form already. Nearly all names are, and the tables are slower than all other checks of a request. */
const plain = /^(?!xn--)[a-z\d_-]{1,63}(?:\.(?!xn--)[a-z\d_-]{1,63})*$/i

/** Ranges of code points that Unicode 15.1 to 17 allow in names: Node.js 20 and 22 reject them, 24 accepts them. */
const newerRanges = [
  '88f-897 c5c cdc 1806 1acf-1aeb 1b4e-1b4f 1b7f 1c8a 20c1 2427-2429 2b96 31e4-31e5 a7cd-a7cf a7db fbc3-fbd2',
  'fd90-fd91 fdc8-fdce 105c0-105f3 10940-10959 10d40-10d8f 10ec2-10efc 11380-113e2 116d0-116e3 11b60-11bf9',
  '11db0-11de9 11f5a 13460-143fa 16100-16139 16d40-16d79 16ebb-16ed3 16ff2-16ff6 187f8-187ff 18cff 18d09-18df2',
  '1cc00-1ccd5 1ccfa-1cef0 1e5d0-1e6ff 1f6d8 1f777-1f77a 1f8b2-1f8d8 1fa54-1fa57 1fa89-1fa8f 1fabe 1fac6-1facd',
  '1fadc-1fadf 1fae9-1faef 1fbcb-1fbef 1fbfa 2b73a-2b73f 2cea2-2cead 2ebf0-2ee5d 323b0-33479',
]
const escapes = newerRanges.join(' ').replaceAll(/[\da-f]+/g, '\\u{$&}')
const newer = new RegExp(`[${escapes.replaceAll(' ', '')}]`, 'u')

/**
 * The ASCII form of a domain name as typed, in lower case. Null if the name is invalid: a label that is empty,
 * malformed or over 63 octets, over 253 octets in all, or anything but letters, digits, hyphens and underscores. The
 * tables come from a bundled library (UTS #46, non-transitional), since URL parsers of Node.js differ: version 24
 * accepts malformed `xn--` labels and maps `ẞ` to another letter than version 20. Do not use `toLowerCase` before: it
 * gives `ΒΌΛΟΣ.com` a final sigma, another domain.
 */
export function asciiDomain(name: string): string | null {
  if (name.length > longestInput) return null
  if (name.length <= longestName && plain.test(name)) return name.toLowerCase()
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
  if (ascii === null || !/^[a-z\d._-]+$/.test(ascii)) return null
  return newer.test(toUnicode(ascii).domain) ? null : ascii
}
