import { toASCII } from 'tr46'

/**
 * The form in which an address is stored and compared, or null when it is none: trimmed, in small letters, the domain in
 * its ASCII form. The local part may hold letters of any script and stays as it is otherwise: `+tags` and dots count.
 * Quoted local parts and address literals (`"a b"@x.org`, `a@[192.0.2.1]`) are refused: no shop's buyer has one.
 */
export function canonicalEmail(input: string): string | null {
  if (input.length > longestInput) return null
  const [, typedLocal = '', host = ''] = /^(.*)@([^@]*)$/su.exec(input.trim()) ?? []
  const local = typedLocal.toLowerCase()
  if (!dotAtom.test(local) || octets(local) > 64) return null
  const domain = asciiDomain(host)
  if (domain === null) return null
  const email = `${local}@${domain}`
  return octets(email) > 254 ? null : email
}

/** Well above any address that could become one of 254 octets: the ASCII form of a long domain is slow to compute. */
const longestInput = 1024

/** The dot-atom of RFC 5322 with the letters, marks and digits of RFC 6531. */
const dotAtom = /^[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+(\.[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+)*$/u

/** A host name with a dot; the last label, as every real one, is two letters or more, or an internationalised one. */
const hostName = /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+([a-z]{2,}|xn--[a-z\d-]*[a-z\d])$/

/**
 * UTS #46, non-transitional (`faß.de` is not `fass.de`). Null when a label is empty, malformed or over 63 octets. It gets the
 * host as typed and makes small letters itself: `toLowerCase` would give `ΒΌΛΟΣ.com` a final sigma, which is another domain.
 */
function asciiDomain(host: string): string | null {
  const ascii = toASCII(host, {
    transitionalProcessing: false,
    checkBidi: true,
    checkJoiners: true,
    // Off, as it also refuses hyphens in the third and fourth place, which registered names have; `hostName` looks at the ends.
    checkHyphens: false,
    useSTD3ASCIIRules: true,
    verifyDNSLength: true,
  })
  return ascii !== null && hostName.test(ascii) ? ascii : null
}

/** RFC 5321 counts octets of UTF-8. */
const octets = (text: string) => new TextEncoder().encode(text).length
