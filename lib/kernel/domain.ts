import { toASCII, toUnicode } from 'tr46'

/** The maximum input in characters. A longer name is refused before the slow conversion, because no valid name is longer. */
const longestInput = 1024

const longestName = 253
/** Matches ASCII names without `xn--`, which skip the slow Unicode tables. Nearly all names are such names. */
const plain = /^(?!xn--)[a-z\d_-]{1,63}(?:\.(?!xn--)[a-z\d_-]{1,63})*$/i

/** Code points of Unicode 15.1 to 17, which Node.js 20 and 22 reject and Node.js 24 accepts. */
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
 * Returns the ASCII form of a domain name in lower case, or null. A label has up to 63 octets, and a name up to 253. Both consist of letters, digits, hyphens,
 * and underscores. The conversion (UTS #46, non-transitional) uses a bundled library, because Node.js 24 accepts malformed `xn--` labels and converts `ẞ`
 * differently from Node.js 20. Do not call `toLowerCase` first: this would give `ΒΌΛΟΣ.com` a final sigma, which is another domain.
 */
export function asciiDomain(name: string): string | null {
  if (name.length > longestInput) return null
  if (name.length <= longestName && plain.test(name)) return name.toLowerCase()
  const ascii = toASCII(name, {
    transitionalProcessing: false,
    checkBidi: true,
    checkJoiners: true,
    // This check is off, because some registered names have hyphens in the third and fourth position.
    checkHyphens: false,
    // These rules are off, because some host names have underscores.
    useSTD3ASCIIRules: false,
    verifyDNSLength: true,
  })
  if (ascii === null || !/^[a-z\d._-]+$/.test(ascii)) return null
  return newer.test(toUnicode(ascii).domain) ? null : ascii
}
