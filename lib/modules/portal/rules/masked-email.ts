/**
 * An email address of which a reader recognizes their own, and nobody else's can be guessed: `a***@e***.com`. The first
 * character of the name and of the domain stay, and the last label.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  return `${firstOf(email)}***@${firstOf(domain)}***${domain.slice(domain.lastIndexOf('.'))}`
}

const firstOf = (text: string): string => [...text][0] ?? ''
