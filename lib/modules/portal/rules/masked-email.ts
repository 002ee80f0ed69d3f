/**
 * A masked email address such as `a***@e***.com`. Owners recognize their address, and nobody can guess it. The first character of the
 * name, the first character of the domain, and the last label stay.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  return `${firstOf(email)}***@${firstOf(domain)}***${domain.slice(domain.lastIndexOf('.'))}`
}

const firstOf = (text: string): string => [...text][0] ?? ''
