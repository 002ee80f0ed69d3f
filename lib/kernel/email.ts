import { asciiDomain } from './domain.ts'

/**
 * The form in which an address is stored and compared: trimmed, composed (NFC; RFC 6532, section 3.1), in lower case,
 * the domain in ASCII. Null if it is invalid, or has a quoted local part or an address literal.
 */
export function canonicalEmail(input: string): string | null {
  const [, typedLocal = '', host = ''] = /^(.*)@([^@]*)$/su.exec(input.trim()) ?? []
  // Lower-casing can decompose a letter: the composed form is made of the lower-case letters.
  const local = typedLocal.normalize('NFC').toLowerCase().normalize('NFC')
  if (!dotAtom.test(local) || octets(local) > 64) return null
  const domain = canonicalDomain(host)
  if (domain === null) return null
  const email = `${local}@${domain}`
  return octets(email) > 254 ? null : email
}

/** The domain of the addresses of erased customers. No email can be delivered there (RFC 2606). */
export const erasedDomain = 'erased.invalid'

/** A customer's canonical address, or null. An address at the erased domain could block another customer's erasure. */
export function customerEmail(input: string): string | null {
  const email = canonicalEmail(input)
  return email === null || domainOf(email) === erasedDomain ? null : email
}

/** The canonical form of an address's domain, in lower case and ASCII; null if no address can have it. */
export function canonicalDomain(host: string): string | null {
  const domain = asciiDomain(host)
  return domain !== null && hostName.test(domain) ? domain : null
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** A masked address that only its owner recognizes: `a***@example.com`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '****' : `${email.slice(0, 1)}***${email.slice(at)}`
}

/** The dot-atom of RFC 5322 with the letters, marks and digits of RFC 6531. */
const dotAtom = /^[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+(\.[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+)*$/u

/** A host name with a dot. The last label has two letters or more, or is internationalized. */
const hostName = /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+([a-z]{2,}|xn--[a-z\d-]*[a-z\d])$/

/** RFC 5321 counts octets of UTF-8. */
const octets = (text: string) => new TextEncoder().encode(text).length
