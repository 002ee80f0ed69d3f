import { asciiDomain } from './domain.ts'

/**
 * The form in which email addresses are stored and compared: NFC (RFC 6532, section 3.1) and lower case, with the
 * domain in ASCII. Null for an invalid address, a quoted local part, or an address literal.
 */
export function canonicalEmail(input: string): string | null {
  const [, typedLocal = '', host = ''] = /^(.*)@([^@]*)$/su.exec(input.trim()) ?? []
  // Lower-casing can decompose a letter, so the text is normalized again.
  const local = typedLocal.normalize('NFC').toLowerCase().normalize('NFC')
  if (!dotAtom.test(local) || octets(local) > 64) return null
  const domain = canonicalDomain(host)
  if (domain === null) return null
  const email = `${local}@${domain}`
  return octets(email) > 254 ? null : email
}

/** The domain of the email addresses of erased customers. The TLD is reserved (RFC 2606). */
export const erasedDomain = 'erased.invalid'

/**
 * Refuses addresses in `erasedDomain`. An erasure gives the customer a unique address in this domain, and would fail if
 * another customer already had the address.
 */
export function customerEmail(input: string): string | null {
  const email = canonicalEmail(input)
  return email === null || domainOf(email) === erasedDomain ? null : email
}

/** Returns the ASCII form of an email domain. Null if no email address can have the domain. */
export function canonicalDomain(host: string): string | null {
  const domain = asciiDomain(host)
  return domain !== null && hostName.test(domain) ? domain : null
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** Masks an email address so that only its owner recognizes it: `a***@example.com`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '****' : `${email.slice(0, 1)}***${email.slice(at)}`
}

/** The dot-atom of RFC 5322 with the letters, marks, and digits of RFC 6531. */
const dotAtom = /^[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+(\.[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+)*$/u

/** Requires a dot. The last label has at least two letters or is internationalized. */
const hostName = /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+([a-z]{2,}|xn--[a-z\d-]*[a-z\d])$/

/** RFC 5321 limits octets, not characters. */
const octets = (text: string) => new TextEncoder().encode(text).length
